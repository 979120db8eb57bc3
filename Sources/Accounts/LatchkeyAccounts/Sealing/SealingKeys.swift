public import LatchkeySecrets

/// Stores the keys that seal hashes. They are outside the database, so that no password can be verified with a copy of
/// the database alone.
public protocol SealingKeys: Sendable {
    /// Returns a key of 32 bytes; nil if it is missing or malformed.
    ///
    /// - Throws: if the key is unsafe, because another user owns it or can read it.
    func key(_ id: SealingKeyID) throws(StoreError) -> Secret?

    /// Stores a new key. It is durable when the call returns.
    func add(_ key: Secret, as id: SealingKeyID) throws(StoreError)

    /// Deletes a key, if it exists.
    func remove(_ id: SealingKeyID) throws(StoreError)

    /// Whether the store requires sealed hashes and refuses bare ones (docs/decisions/0034-only-sealed-hashes.md).
    func requiresSealedHashes() throws(StoreError) -> Bool

    /// Makes the store require sealed hashes from now on. The change is durable when the call returns.
    func requireSealedHashes() throws(StoreError)
}

/// The key store for a database without sealing: no hash is sealed.
package struct NoSealingKeys: SealingKeys {
    package func key(_ id: SealingKeyID) throws(StoreError) -> Secret? { nil }
    package func add(_ key: Secret, as id: SealingKeyID) throws(StoreError) { throw .readOnly }
    package func remove(_ id: SealingKeyID) throws(StoreError) {}
    package func requiresSealedHashes() throws(StoreError) -> Bool { false }
    package func requireSealedHashes() throws(StoreError) { throw .readOnly }
}

/// The ID of a sealing key: 8 random bytes, not secret.
public struct SealingKeyID: Hashable, Sendable, CustomStringConvertible {
    /// The ID as 16 hexadecimal digits in lower case.
    public let text: String

    /// Nil unless `text` has 16 hexadecimal digits in lower case.
    public init?(_ text: String) {
        guard let bytes = Hexadecimal.bytes(of: text), bytes.count == 8, Hexadecimal.text(of: bytes) == text else {
            return nil
        }
        self.text = text
    }

    /// Parses the start of a sealed hash; nil for any other string.
    package init?(hashPrefix: String) {
        guard hashPrefix.hasPrefix(Self.seal), hashPrefix.hasSuffix("$") else { return nil }
        self.init(String(hashPrefix.dropFirst(Self.seal.count).dropLast()))
    }

    /// The prefix of every hash that the key seals: `$sealed$v=1,k=0123456789abcdef$`.
    package var hashPrefix: String { "\(Self.seal)\(text)$" }

    private static let seal = "$sealed$v=1,k="

    /// Generates a new ID.
    package init(from random: RandomSource) throws(RandomSource.Unavailable) {
        text = Hexadecimal.text(of: try random.bytes(8))
    }

    public var description: String { text }
}

/// A sealing key's record in the database. It does not contain the key itself.
public struct SealingKeyRecord: Equatable, Sendable {
    /// The ID of the key.
    public let id: SealingKeyID
    /// The time when the key was added.
    public let createdAt: Timestamp

    /// Creates a record.
    package init(id: SealingKeyID, createdAt: Timestamp) {
        self.id = id
        self.createdAt = createdAt
    }
}

/// A stored hash with its account.
public struct StoredHashRow: Sendable {
    /// The account of the hash.
    public let account: AccountID
    /// The hash as stored, sealed or bare.
    package let hash: PasswordHash

    /// Creates a row.
    package init(account: AccountID, hash: PasswordHash) {
        self.account = account
        self.hash = hash
    }
}
