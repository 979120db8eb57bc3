public import LatchkeySecrets

/// Where the keys are that hashes are sealed with: never in the store, so that a copy of the store alone verifies nothing.
public protocol SealingKeys: Sendable {
    /// 32 bytes; nil where the key is not there, or is no key.
    ///
    /// - Throws: where it is there, and may not be used: open to others, or somebody else's.
    func key(_ id: SealingKeyID) throws(StoreError) -> Secret?

    /// Keeps a new key, durable when the call returns.
    func add(_ key: Secret, as id: SealingKeyID) throws(StoreError)

    /// Gives a key up; done, too, where it is not there.
    func remove(_ id: SealingKeyID) throws(StoreError)
}

/// No place for keys: nothing is sealed.
package struct NoSealingKeys: SealingKeys {
    package init() {}
    package func key(_ id: SealingKeyID) throws(StoreError) -> Secret? { nil }
    package func add(_ key: Secret, as id: SealingKeyID) throws(StoreError) { throw .readOnly }
    package func remove(_ id: SealingKeyID) throws(StoreError) {}
}

/// The name of a key that hashes are sealed with: 8 random bytes. It is no secret.
public struct SealingKeyID: Hashable, Sendable, CustomStringConvertible {
    /// 16 hexadecimal digits in lower case.
    public let text: String

    public init?(_ text: String) {
        let digits = Set("0123456789abcdef".utf8)
        guard text.utf8.count == 16, text.utf8.allSatisfy(digits.contains) else { return nil }
        self.text = text
    }

    package init(from random: RandomSource) throws(RandomSource.Unavailable) {
        text = Hexadecimal.text(of: try random.bytes(8))
    }

    public var description: String { text }
}

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
