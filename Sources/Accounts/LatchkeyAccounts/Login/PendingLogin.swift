public import LatchkeySecrets

/// A login with a correct password that waits for the second factor. It is not a session. Its token can only submit the
/// second factor.
public struct PendingLogin: Equatable, Sendable {
    /// The time limit for the second factor: 5 minutes.
    package static let lifetime = Duration.seconds(300)
    /// The maximum number of pending logins of an account from one network. A further one replaces the oldest, so that
    /// a thief of the password ends no login of the owner elsewhere.
    static let perNetwork = 10

    /// The action to complete after the second factor.
    package enum Purpose: Equatable, Sendable {
        /// Start a session.
        case login
        /// Replace this session with a new one.
        case reauthentication(SessionDigest)
        /// Use up the recovery code and set the account's password hash.
        case recovery(RecoveryCodeTag, SealedSecret)
    }

    /// The ``StoreKey/lookupKey(of:)`` of the token, 32 bytes.
    package let digest: [UInt8]
    /// The account whose password was correct.
    public let account: AccountID
    /// The network of the request. The factor must come from the same network; empty for a local request.
    package let network: [UInt8]
    /// The password generation at the time of the login. A password change invalidates the pending login.
    package let passwordGeneration: Int
    /// The time when the password was entered.
    public let createdAt: Timestamp
    /// The time of expiry.
    public let expiresAt: Timestamp
    package let purpose: Purpose
    package var tag: [UInt8] = []

    /// Creates a pending login.
    package init(
        digest: [UInt8], account: AccountID, network: [UInt8], passwordGeneration: Int, createdAt: Timestamp,
        expiresAt: Timestamp, purpose: Purpose
    ) {
        self.digest = digest
        self.account = account
        self.network = network
        self.passwordGeneration = passwordGeneration
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.purpose = purpose
    }

    private static let prefix = Array("lkp_".utf8)

    /// A new token: `lkp_` and 32 random bytes in base64url.
    static func token(from random: RandomSource) throws(AccountError) -> Secret {
        try SessionToken.text(prefix, from: random)
    }

    /// The digest of a token that a client presents; nil if its format is invalid.
    static func digest(of shown: Secret) -> [UInt8]? { SessionToken.digest(of: shown, prefix) }

    /// Whether the factor can still complete the login.
    func isLive(of account: Account, from network: [UInt8], at now: Timestamp) -> Bool {
        SessionLimits.isLive(from: createdAt, until: expiresAt, at: now)
            && passwordGeneration == account.passwordGeneration && account.state == .active && self.network == network
    }
}

/// The token with which a caller submits the second factor of a login.
public struct FactorChallenge: Equatable, Sendable {
    /// The token of the login. The store contains only its digest.
    public let token: Secret
    /// The time of expiry.
    public let expiresAt: Timestamp

    /// The lifetime of a challenge: 5 minutes.
    package static let lifetime = PendingLogin.lifetime

    /// Whether a secret has the format of a token.
    package static func isToken(_ text: Secret) -> Bool { PendingLogin.digest(of: text) != nil }

    public static func == (left: FactorChallenge, right: FactorChallenge) -> Bool {
        left.token.isEqual(to: right.token) && left.expiresAt == right.expiresAt
    }
}
