import LatchkeySecrets

/// A passkey of an account: a key pair whose private key never leaves the authenticator. Latchkey always requires user
/// verification, so a passkey alone counts as two factors.
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
    public internal(set) var name: String
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

    /// The ID shown to people and written to the audit trail: the first 8 hexadecimal digits of the credential ID's
    /// SHA-256.
    public var id: String { Hexadecimal.text(of: SHA256Digest.of(credential.id.span).prefix(4)) }
}

/// The stored challenge of a passkey registration or login. It accepts one response.
///
/// The challenge of an account is stored until it is answered. An `AnonymousChallenge` is stored once it is answered,
/// so that it does not accept another response.
public struct PasskeyChallenge: Equatable, Sendable {
    /// The time limit for the response of the authenticator: 5 minutes.
    package static let lifetime = Duration.seconds(300)
    /// The maximum number of open challenges of an account in one network. A further one replaces the oldest.
    static let perNetwork = 10
    /// The length in bytes.
    static let byteCount = 32

    /// 32 bytes, which are random for a challenge of an account.
    package let bytes: [UInt8]
    /// The account that registers a passkey or must log in with one; nil for an answered challenge of any account.
    package let account: AccountID?
    /// The network of the request. The response must come from the same network; empty for a local request.
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
    /// - Throws: ``AccountError/noSuchAccount`` if the account no longer exists.
    func insert(_ passkey: Passkey) throws(AccountError)
    /// The passkey with this credential ID; nil if there is none.
    func passkey(_ credentialID: [UInt8]) throws(AccountError) -> Passkey?
    /// The passkeys of an account, in the order of creation.
    func passkeys(of account: AccountID) throws(AccountError) -> [Passkey]
    /// Stores the counter, the backup state and the time of last use of a passkey, if it still exists.
    func update(_ passkey: Passkey) throws(AccountError)
    /// Deletes a passkey; false if it does not exist.
    func deletePasskey(_ credentialID: [UInt8]) throws(AccountError) -> Bool
    /// Deletes the passkeys of an account; false if it has none.
    func deletePasskeys(of account: AccountID) throws(AccountError) -> Bool

    /// Stores a challenge; false if it is stored already.
    func insert(_ challenge: PasskeyChallenge) throws(AccountError) -> Bool
    /// Finds a challenge of this account, expired or not, and deletes it; nil if there is none.
    func takePasskeyChallenge(_ bytes: [UInt8], of account: AccountID) throws(AccountError) -> PasskeyChallenge?
    /// Deletes the account's challenges that were issued in `network`, except for the newest `count`.
    func deletePasskeyChallenges(of account: AccountID, from network: [UInt8], keeping count: Int) throws(AccountError)
    /// Deletes the challenges that expired by `time`.
    func deletePasskeyChallenges(expiredBy time: Timestamp) throws(AccountError)
}
