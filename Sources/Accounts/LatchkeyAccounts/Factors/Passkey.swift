import LatchkeySecrets

/// A passkey of an account: a key pair whose private half never leaves its authenticator. With the user's verification,
/// which is always required, it is two factors by itself.
public struct Passkey: Equatable, Sendable {
    /// The maximum number of passkeys per account.
    package static let perAccount = 20
    /// The maximum length of a name in characters (Unicode scalars).
    package static let maximumNameLength = 64

    /// The key and its counter.
    package internal(set) var credential: PasskeyCredential
    /// The account of the passkey.
    public let account: AccountID
    /// The owner's name for the passkey.
    public let name: String
    /// The time of creation.
    public let createdAt: Timestamp
    /// The time of the last use.
    public internal(set) var lastUsedAt: Timestamp?
    package var tag: [UInt8] = []

    /// Creates a passkey.
    package init(
        _ credential: PasskeyCredential, of account: AccountID, named name: String, createdAt: Timestamp,
        lastUsedAt: Timestamp? = nil
    ) {
        self.credential = credential
        self.account = account
        self.name = name
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
    }

    /// The ID for people and for the audit trail: the first 8 hexadecimal digits of the credential ID's SHA-256.
    public var id: String { Hexadecimal.text(of: SHA256Digest.of(credential.id.span).prefix(4)) }
}

/// The challenge of a passkey registration or login. It accepts one response.
public struct PasskeyChallenge: Equatable, Sendable {
    /// The time that the owner has to use the authenticator.
    package static let lifetime = Duration.seconds(300)
    /// The maximum number of open challenges. A further one replaces the oldest, so that strangers cannot fill the
    /// disk.
    static let maximum = 10_000
    /// The length in bytes.
    static let byteCount = 32

    /// 32 random bytes.
    package let bytes: [UInt8]
    /// The account that registers a passkey or must log in with one; nil for any account.
    package let account: AccountID?
    /// The network of the request, which must also submit the response; empty for a local request.
    package let network: [UInt8]
    /// The time of expiry.
    package let expiresAt: Timestamp

    /// Creates a challenge.
    package init(bytes: [UInt8], account: AccountID?, network: [UInt8], expiresAt: Timestamp) {
        self.bytes = bytes
        self.account = account
        self.network = network
        self.expiresAt = expiresAt
    }
}

/// Reads and writes passkeys and their challenges.
public protocol PasskeyRows {
    /// Stores a new passkey.
    ///
    /// - Throws: ``AccountError/noSuchAccount`` if its account is gone.
    func insert(_ passkey: Passkey) throws(AccountError)
    /// The passkey with this credential ID; nil if there is none.
    func passkey(_ credentialID: [UInt8]) throws(AccountError) -> Passkey?
    /// The passkeys of an account, in the order of creation.
    func passkeys(of account: AccountID) throws(AccountError) -> [Passkey]
    /// Stores the counter, the backup state and the last use of a passkey; does nothing if it is gone.
    func update(_ passkey: Passkey) throws(AccountError)
    /// Deletes a passkey; false if there is none.
    func deletePasskey(_ credentialID: [UInt8]) throws(AccountError) -> Bool
    /// Deletes the passkeys of an account; false if it has none.
    func deletePasskeys(of account: AccountID) throws(AccountError) -> Bool

    /// Stores a new challenge.
    func insert(_ challenge: PasskeyChallenge) throws(AccountError)
    /// Finds a challenge, expired or not, and deletes it; nil if there is none.
    func takePasskeyChallenge(_ bytes: [UInt8]) throws(AccountError) -> PasskeyChallenge?
    /// Deletes the challenges that expired by `time`, and all but the newest `count` of the others.
    func deletePasskeyChallenges(expiredBy time: Timestamp, keeping count: Int) throws(AccountError)
}
