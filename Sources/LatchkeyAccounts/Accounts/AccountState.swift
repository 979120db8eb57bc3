/// Whether an account may be used.
public enum AccountState: String, Sendable, CaseIterable {
    case active
    /// By an operator; its owner is answered as if the password were wrong.
    case disabled
}
