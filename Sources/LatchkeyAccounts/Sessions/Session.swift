/// A session as a store keeps it: without its token.
public struct Session: Equatable, Sendable {
    public let digest: SessionDigest
    public let account: AccountID
    public let scope: Scope
    public let createdAt: Timestamp
    /// Written at most once a minute.
    public var lastUsedAt: Timestamp

    package init(
        digest: SessionDigest, account: AccountID, scope: Scope, createdAt: Timestamp, lastUsedAt: Timestamp
    ) {
        self.digest = digest
        self.account = account
        self.scope = scope
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
    }

    /// What may be done with a session.
    public enum Scope: String, Sendable {
        case full
        /// Nothing but to change the password or to log out.
        case changePassword
    }
}
