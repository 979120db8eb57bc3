package import LatchkeySecrets

/// A token that lets another program manage accounts through the service. The store contains only its digest.
public struct OperatorToken: Equatable, Sendable {
    /// A permission of a token.
    public enum Scope: String, CaseIterable, Sendable {
        /// Read accounts.
        case readAccounts = "accounts:read"
        /// Create, change, enable, disable, unlock and delete accounts. Not enough to change or free the username or
        /// address of an account that has a credential.
        case writeAccounts = "accounts:write"
        /// Get recovery codes and, together with ``writeAccounts``, change or free every username and address. Both
        /// allow an account takeover.
        case recoverAccounts = "accounts:recover"
        /// Sign up once: the token is an invitation and becomes invalid when it is used.
        case signUp = "sign-up"
        /// Read groups and their members.
        case readGroups = "groups:read"
        /// Create, rename and delete groups, and change their members.
        case writeGroups = "groups:write"
        /// Administer Latchkey. With ``writeGroups``, change the group of its administrators.
        case admin
        /// Read the applications that log their users in.
        case readApplications = "applications:read"
        /// Add, change and remove applications.
        case writeApplications = "applications:write"
    }

    /// The ``StoreKey/lookupKey(of:)`` of the token, 32 bytes.
    package let digest: [UInt8]
    /// The ID for people and for the audit trail: 8 hexadecimal digits.
    public let id: String
    /// The operator's name for the token: 1 to 64 bytes without control characters.
    public let name: String
    /// The permissions of the token.
    public let scopes: Set<Scope>
    /// The groups of the account that an invitation creates; empty for other tokens.
    public let groups: [GroupName]
    /// The time of creation.
    public let createdAt: Timestamp
    /// The time of expiry; nil if the token never expires.
    public let expiresAt: Timestamp?
    /// The time of the last use, with a precision of one minute; nil if it was never used.
    public var lastUsedAt: Timestamp?
    package var tag: [UInt8] = []

    /// Creates a token.
    ///
    /// - Parameter id: nil for the first digits of `digest`.
    package init(
        digest: [UInt8], id: String? = nil, name: String, scopes: Set<Scope>,
        groups: [GroupName] = [], createdAt: Timestamp, expiresAt: Timestamp?, lastUsedAt: Timestamp? = nil
    ) {
        self.digest = digest
        self.id = id ?? Hexadecimal.text(of: digest.prefix(4))
        self.name = name
        self.scopes = scopes
        self.groups = groups
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
    }

    /// The ``AuditActor`` for the token's actions.
    public var actor: AuditActor { .operatorToken(id: id) }

    /// Whether the holder may take accounts over.
    public var mayTakeOver: Bool { scopes.contains(.recoverAccounts) }

    /// Whether the holder may change the group of Latchkey's administrators.
    public var mayAdminister: Bool { scopes.contains(.admin) }

    /// The maximum number of groups of an invitation.
    public static let maximumGroups = 16

    /// The link to the sign-up page, including the invitation.
    package static func link(to origin: WebOrigin, invitation: Secret) -> Secret {
        let start = Array((origin.text + "/setup?invitation=").utf8)
        var link = SecretBytes(capacity: start.count + invitation.count)
        _ = link.append(start.span) && invitation.withBytes { link.append($0) }
        return Secret(link)
    }

    /// Whether the token is an invitation to sign up.
    public var isInvitation: Bool { scopes == [.signUp] }

    /// Whether the token has expired.
    public func isOver(at time: Timestamp) -> Bool { expiresAt.map { $0 <= time } ?? false }

    /// The maximum length of a name in bytes.
    package static let maximumNameBytes = 64

    /// Whether `text` is a valid name.
    public static func isName(_ text: String) -> Bool {
        1...maximumNameBytes ~= text.utf8.count
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    private static let prefix = Array("lko_".utf8)

    /// A new encoded token: `lko_` and 32 random bytes in base64url.
    static func text(from random: RandomSource) throws(AccountError) -> Secret {
        try SessionToken.text(prefix, from: random)
    }

    /// The digest of a token that a client presents; nil if its format is invalid.
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
    /// All tokens, in the order of creation.
    var operatorTokens: [OperatorToken] { get throws(AccountError) }
    /// Records that the token was used.
    func touchOperatorToken(_ digest: [UInt8], at time: Timestamp) throws(AccountError)
    /// Deletes the token; false if it does not exist.
    func deleteOperatorToken(_ digest: [UInt8]) throws(AccountError) -> Bool
}
