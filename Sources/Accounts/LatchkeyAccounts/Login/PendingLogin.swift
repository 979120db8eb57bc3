public import LatchkeySecrets

/// A login with a correct password that waits for the second factor. It is not a session. Its token can only submit the
/// second factor.
public struct PendingLogin: Equatable, Sendable {
    /// The time that the owner has for the factor.
    package static let lifetime = Duration.seconds(300)
    /// The maximum number of pending logins per account. A further one replaces the oldest.
    static let perAccount = 10

    /// The action after the factor.
    package enum Purpose: Equatable, Sendable {
        /// A session starts.
        case login
        /// A new session replaces this one.
        case reauthentication(SessionDigest)
        /// The recovery code is spent, and the hash becomes the account's.
        case recovery(RecoveryCodeTag, SealedSecret)
    }

    /// The ``StoreKey/lookupKey(of:)`` of the token, 32 bytes.
    package let digest: [UInt8]
    /// The account whose password was correct.
    public let account: AccountID
    /// The network of the request, which must also submit the factor; empty for a local request.
    package let network: [UInt8]
    /// The generation of the password. A password change ends the login.
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
        now < expiresAt && createdAt <= now.advanced(by: SessionLimits.clockTolerance)
            && passwordGeneration == account.passwordGeneration && account.state == .active && self.network == network
    }
}

/// The data with which a caller completes a login with the second factor.
public struct FactorChallenge: Equatable, Sendable {
    /// The token of the login. The store contains only its digest.
    public let token: Secret
    /// The time of expiry.
    public let expiresAt: Timestamp

    /// The lifetime of a challenge.
    package static let lifetime = PendingLogin.lifetime

    /// Whether a secret has the format of a token.
    package static func isToken(_ text: Secret) -> Bool { PendingLogin.digest(of: text) != nil }

    public static func == (left: FactorChallenge, right: FactorChallenge) -> Bool {
        left.token.isEqual(to: right.token) && left.expiresAt == right.expiresAt
    }
}
