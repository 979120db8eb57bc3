import LatchkeyAccounts

/// Stores the messages of one account.
protocol ChatArchive: Sendable {
    /// Reads all messages.
    func load() async throws(StoreError) -> Changes
    /// Stores a message. Storing the same message again changes nothing, so sending can be repeated.
    func append(_ message: Message) async throws(StoreError)
    /// Stores that these messages to this account were read.
    func markRead(_ ids: [Message.ID]) async throws(StoreError)
}
