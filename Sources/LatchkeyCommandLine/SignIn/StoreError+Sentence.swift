public import LatchkeyAccounts
public import LatchkeyForms

extension StoreError {
    /// What is wrong with the store, or the database of a program, at `path`.
    public func sentence(about path: String, in messages: MessageTable) -> String {
        ToolFailure.store(self, path: path).sentence(messages.completed(by: .commandLine))
    }
}
