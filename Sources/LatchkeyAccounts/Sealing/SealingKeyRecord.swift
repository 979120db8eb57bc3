/// What a store knows of a key that its hashes are sealed with: not the key.
public struct SealingKeyRecord: Equatable, Sendable {
    public let id: SealingKeyID
    public let createdAt: Timestamp

    package init(id: SealingKeyID, createdAt: Timestamp) {
        self.id = id
        self.createdAt = createdAt
    }
}

/// A stored hash and whose it is.
public struct StoredHashRow: Sendable {
    public let account: AccountID
    package let hash: PasswordHash

    package init(account: AccountID, hash: PasswordHash) {
        self.account = account
        self.hash = hash
    }
}
