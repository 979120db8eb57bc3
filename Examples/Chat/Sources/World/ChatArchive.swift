import LatchkeyAccounts

/// Where the messages of one account are kept.
protocol ChatArchive: Sendable {
    /// All that there is.
    func load() async throws(StoreError) -> Changes
    /// Keeps a message. One that is there already stays as it is, so that it may be sent again.
    func append(_ message: Message) async throws(StoreError)
    /// Keeps that these, written to this account, were read.
    func markRead(_ ids: [Message.ID]) async throws(StoreError)
}
