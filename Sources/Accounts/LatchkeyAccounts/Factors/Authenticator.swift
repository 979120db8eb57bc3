import LatchkeySecrets

/// The authenticator app of an account, which shows one-time passwords (RFC 6238) for one secret.
public struct Authenticator: Equatable, Sendable {
    /// The stored secret.
    package var secret: SealedSecret
    /// The time when the owner started the set-up.
    public let createdAt: Timestamp
    /// Whether the owner has entered a first code. Until then, logins do not require codes.
    public internal(set) var isConfirmed: Bool
    /// The time step of the last accepted code. Codes of this step and of earlier ones are refused.
    package var lastStep: Int64?
    /// The time when a code was last accepted.
    public internal(set) var lastUsedAt: Timestamp?

    /// Creates an authenticator.
    package init(
        secret: SealedSecret, createdAt: Timestamp, isConfirmed: Bool = false, lastStep: Int64? = nil,
        lastUsedAt: Timestamp? = nil
    ) {
        self.secret = secret
        self.createdAt = createdAt
        self.isConfirmed = isConfirmed
        self.lastStep = lastStep
        self.lastUsedAt = lastUsedAt
    }
}

/// Reads and writes second factors, pending logins and app passwords.
public protocol FactorRows: AppPasswordRows, PasskeyRows {
    /// The account's authenticator, confirmed or not; nil if there is none.
    func authenticator(of account: AccountID) throws(AccountError) -> Authenticator?
    /// Stores the account's authenticator, replacing an existing one.
    ///
    /// - Throws: ``AccountError/noSuchAccount``.
    func setAuthenticator(_ authenticator: Authenticator, of account: AccountID) throws(AccountError)
    /// Deletes only the authenticator, not the saved codes; false if there was none.
    func deleteAuthenticator(of account: AccountID) throws(AccountError) -> Bool
    /// Deletes the account's authenticator, its saved codes and the count of wrong codes; false if there was no
    /// authenticator.
    func deleteFactors(of account: AccountID) throws(AccountError) -> Bool
    /// At most `limit` authenticators after `account`, ordered by account ID, that are not sealed with `key`.
    func authenticators(
        notSealedWith key: SealingKeyID, after account: AccountID?, limit: Int
    ) throws(AccountError) -> [(account: AccountID, authenticator: Authenticator)]
    /// The number of authenticators sealed with each key; nil is the store's key. Reads all authenticators.
    var authenticatorCounts: [SealingKeyID?: Int] { get throws(AccountError) }

    /// The number of unused saved codes of the account.
    func savedCodes(of account: AccountID) throws(AccountError) -> Int
    /// Replaces the account's saved codes.
    func setSavedCodes(_ tags: [RecoveryCodeTag], of account: AccountID) throws(AccountError)
    /// Deletes a saved code; false if the account does not have it.
    func spendSavedCode(_ tag: RecoveryCodeTag, of account: AccountID) throws(AccountError) -> Bool

    /// Stores a new pending login.
    ///
    /// - Throws: ``AccountError/noSuchAccount`` if the account no longer exists.
    func insert(_ pending: PendingLogin) throws(AccountError)
    /// Finds a pending login, expired or not; nil if there is none.
    func pendingLogin(_ digest: [UInt8]) throws(AccountError) -> PendingLogin?
    /// Deletes a pending login, if it exists.
    func deletePendingLogin(_ digest: [UInt8]) throws(AccountError)
    /// Deletes all pending logins of the account.
    func deletePendingLogins(of account: AccountID) throws(AccountError)
    /// Deletes the account's pending logins that began in `network`, except for the newest `count`.
    func deletePendingLogins(of account: AccountID, from network: [UInt8], keeping count: Int) throws(AccountError)
    /// Deletes the pending logins that expired by `time`.
    func deletePendingLogins(expiredBy time: Timestamp) throws(AccountError)
}
