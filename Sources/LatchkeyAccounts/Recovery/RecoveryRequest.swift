/// One request to recover an account, as a store keeps it: without its code.
public struct RecoveryRequest: Equatable, Sendable {
    public let tag: RecoveryCodeTag
    /// Nil where nobody has the address that was typed: such a request is kept all the same, so that the work is alike.
    public let account: AccountID?
    public let createdAt: Timestamp
    public let expiresAt: Timestamp

    package init(tag: RecoveryCodeTag, account: AccountID?, createdAt: Timestamp, expiresAt: Timestamp) {
        self.tag = tag
        self.account = account
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

/// HMAC-SHA-256 of a recovery code under the store's key, 32 bytes.
public struct RecoveryCodeTag: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }
}
