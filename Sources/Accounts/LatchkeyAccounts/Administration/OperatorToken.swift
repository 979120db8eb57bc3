import LatchkeySecrets

/// A token with which another program manages accounts over the service. The store holds its digest only.
public struct OperatorToken: Equatable, Sendable {
    /// What a token may do.
    public enum Scope: String, CaseIterable, Sendable {
        /// Read accounts.
        case readAccounts = "accounts:read"
        /// Create, change, enable, disable, unlock and delete accounts.
        case writeAccounts = "accounts:write"
        /// Get recovery codes, with which one can take an account over.
        case recoverAccounts = "accounts:recover"
        /// Sign up once: an invitation. The token ends with its use.
        case signUp = "sign-up"
    }

    /// The SHA-256 of the token, 32 bytes.
    package let digest: [UInt8]
    /// What the operator calls it: 1 to 64 bytes without control characters.
    public let name: String
    /// What it may do.
    public let scopes: Set<Scope>
    /// When it was created.
    public let createdAt: Timestamp
    /// When it stops being valid; nil for never.
    public let expiresAt: Timestamp?
    /// When it was last used, to the minute; nil if it never was.
    public var lastUsedAt: Timestamp?

    /// Creates a token.
    package init(
        digest: [UInt8], name: String, scopes: Set<Scope>, createdAt: Timestamp, expiresAt: Timestamp?,
        lastUsedAt: Timestamp? = nil
    ) {
        self.digest = digest
        self.name = name
        self.scopes = scopes
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
    }

    /// The ID for people and for the audit trail: the first 8 hexadecimal digits of the digest.
    public var id: String { Hexadecimal.text(of: digest.prefix(4)) }

    /// The ``AuditActor`` of what it does.
    public var actor: AuditActor { .operatorToken(id: id) }

    /// Whether it is no longer valid.
    func isOver(at time: Timestamp) -> Bool { expiresAt.map { $0 <= time } ?? false }

    /// Whether `text` can be a name.
    public static func isName(_ text: String) -> Bool {
        1...64 ~= text.utf8.count && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    private static let prefix = Array("lko_".utf8)

    /// A new token as text: `lko_` and 32 random bytes in base64url.
    static func text(from random: RandomSource) throws(AccountError) -> Secret {
        try SessionToken.text(prefix, from: random)
    }

    /// The digest of a token that a client presents; nil if it has another form.
    static func digest(of shown: Secret) -> [UInt8]? {
        SessionToken.digest(of: shown, prefix)
    }
}

/// Reads and writes operator tokens.
public protocol TokenRows {
    /// Stores a new token.
    func insert(_ token: OperatorToken) throws(AccountError)
    /// The token with this digest; nil if there is none.
    func operatorToken(_ digest: [UInt8]) throws(AccountError) -> OperatorToken?
    /// Every token, in the order of creation.
    var operatorTokens: [OperatorToken] { get throws(AccountError) }
    /// Notes that the token was used.
    func touchOperatorToken(_ digest: [UInt8], at time: Timestamp) throws(AccountError)
    /// Deletes the token; false if there is none.
    func deleteOperatorToken(_ digest: [UInt8]) throws(AccountError) -> Bool
}
