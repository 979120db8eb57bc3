public import LatchkeySecrets

/// A login whose password was right and which waits for the second factor. It is no session: its token is good for
/// nothing but the factor.
public struct PendingLogin: Equatable, Sendable {
    /// How long the owner has for the factor.
    package static let lifetime = Duration.seconds(300)
    /// The most pending logins of an account. A further one replaces the oldest.
    static let perAccount = 10

    /// What happens after the factor.
    package enum Purpose: Equatable, Sendable {
        /// A session starts.
        case login
        /// A new session replaces this one.
        case reauthentication(SessionDigest)
        /// This recovery code is spent, and the hash becomes the account's.
        case recovery(RecoveryCodeTag, SealedSecret)
    }

    /// The SHA-256 of the token, 32 bytes.
    package let digest: [UInt8]
    /// Whose password was right.
    public let account: AccountID
    /// The network of the request, which must also bring the factor; empty for a local one.
    package let network: [UInt8]
    /// The generation of the password. The login is over once it has changed.
    package let passwordGeneration: Int
    /// When the password was entered.
    public let createdAt: Timestamp
    /// When the login is over.
    public let expiresAt: Timestamp
    package let purpose: Purpose

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

    /// The digest of a token that a client presents; nil if it has another form.
    static func digest(of shown: Secret) -> [UInt8]? { SessionToken.digest(of: shown, prefix) }

    /// Whether the factor may still finish it.
    func isLive(of account: Account, from network: [UInt8], at now: Timestamp) -> Bool {
        now < expiresAt && createdAt <= now.advanced(by: SessionLimits.clockTolerance)
            && passwordGeneration == account.passwordGeneration && account.state == .active && self.network == network
    }
}

/// What a caller needs to finish a login with the second factor.
public struct FactorChallenge: Equatable, Sendable {
    /// Stands for the login. It exists only here: the store holds its digest.
    public let token: Secret
    /// When it stops working.
    public let expiresAt: Timestamp

    /// How long it works.
    package static let lifetime = PendingLogin.lifetime

    /// Whether a text has the form of a token.
    package static func isToken(_ text: Secret) -> Bool { PendingLogin.digest(of: text) != nil }

    public static func == (left: FactorChallenge, right: FactorChallenge) -> Bool {
        left.token.isEqual(to: right.token) && left.expiresAt == right.expiresAt
    }
}
