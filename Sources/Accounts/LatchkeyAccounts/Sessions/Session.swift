import LatchkeySecrets

/// A stored session, without its token.
public struct Session: Equatable, Sendable {
    /// The digest that identifies the token.
    public let digest: SessionDigest
    /// The owner of the session.
    public let account: AccountID
    /// The permissions of the session.
    public let scope: Scope
    /// The time of creation, which determines the session's age.
    public let createdAt: Timestamp
    /// The time when the owner entered the password; nil if an operator created the session. Entering the password
    /// again starts a new session.
    public let authenticatedAt: Timestamp?
    /// The owner's authentication methods; empty if an operator created the session.
    public let methods: AuthenticationMethods
    /// The time of the last use, updated at most once a minute.
    public var lastUsedAt: Timestamp
    /// The location of the login: the source that the caller reported, or the local terminal, at most 255 bytes. Empty
    /// if unknown; `operator` if an operator created the session.
    public let source: String
    /// A random ID of the login, 16 bytes, which a session that replaces this one inherits. Applications learn it as
    /// `sid` (OpenID Connect Back-Channel Logout 1.0, section 2.1). Nil for a session from before schema 15.
    package let sid: [UInt8]?
    package var tag: [UInt8] = []

    /// The length of a ``sid`` in bytes.
    static let sidByteCount = 16

    /// Creates a session.
    package init(
        digest: SessionDigest, account: AccountID, scope: Scope, createdAt: Timestamp, lastUsedAt: Timestamp,
        authenticatedAt: Timestamp? = nil, methods: AuthenticationMethods = .password, source: String = "",
        sid: [UInt8]? = nil
    ) {
        self.digest = digest
        self.account = account
        self.scope = scope
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.authenticatedAt = authenticatedAt
        self.methods = methods
        self.source = source
        self.sid = sid
    }

    /// The ID shown to people: the first 8 hexadecimal digits of the digest. It reveals nothing about the token.
    public var shortID: String { Hexadecimal.text(of: digest.bytes.prefix(4)) }

    /// The source of a session that an operator created. It differs from every address and terminal name.
    static let operatorSource = "operator"

    /// A copy of the session that is limited to changing the password.
    var limitedToChangingPassword: Session {
        Session(
            digest: digest, account: account, scope: .changePassword, createdAt: createdAt, lastUsedAt: lastUsedAt,
            authenticatedAt: authenticatedAt, methods: methods, source: source, sid: sid)
    }

    /// The permissions of a session.
    public enum Scope: String, Sendable {
        /// Everything that the owner may do.
        case full
        /// The session may only change the password or log out.
        case changePassword
    }
}

/// The place of a session in the list of all sessions.
public struct SessionPlace: Equatable, Sendable {
    /// The last use.
    public let lastUsedAt: Timestamp
    package let digest: SessionDigest

    package init(_ session: Session) { (lastUsedAt, digest) = (session.lastUsedAt, session.digest) }

    /// Reads what ``text`` wrote; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let milliseconds = Int64(parts[0]), milliseconds >= 0,
            let bytes = Hexadecimal.bytes(of: String(parts[1])), bytes.count == 32
        else { return nil }
        lastUsedAt = Timestamp(milliseconds: milliseconds)
        digest = SessionDigest(bytes: bytes)
    }

    /// The place in a link: the time in milliseconds and the digest, which is not the token.
    public var text: String { "\(lastUsedAt.milliseconds)-" + Hexadecimal.text(of: digest.bytes) }
}

/// One page of the list of all sessions.
public struct SessionPage: Sendable {
    /// The live sessions with their accounts, most recently used first.
    public let sessions: [LiveSession]
    /// The last session that was read, live or not; nil at the end of the list.
    public let last: SessionPlace?
}

/// The authentication methods of a session's owner.
public struct AuthenticationMethods: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A password.
    public static let password = AuthenticationMethods(rawValue: 1)
    /// A one-time password from an authenticator app.
    public static let oneTimePassword = AuthenticationMethods(rawValue: 2)
    /// A code that the owner saved for a lost authenticator.
    public static let savedCode = AuthenticationMethods(rawValue: 4)

    /// A passkey, which proves possession of a private key.
    public static let passkey = AuthenticationMethods(rawValue: 8)

    /// The names of the methods, from RFC 8176 where it defines one.
    public var names: [String] {
        [
            (.password, "pwd"), (.oneTimePassword, "otp"), (AuthenticationMethods.savedCode, "saved_code"),
            (.passkey, "pop"),
        ].filter { contains($0.0) }.map(\.1)
    }

    /// The authentication assurance level (NIST SP 800-63B-4, section 2): 2 for two factors or a passkey; nil without
    /// any authentication.
    public var assuranceLevel: Int? {
        guard !isEmpty else { return nil }
        // A passkey's authenticator has also verified the user.
        return contains(.passkey) || contains(.password) && !isDisjoint(with: [.oneTimePassword, .savedCode]) ? 2 : 1
    }
}

/// The `StoreKey.lookupKey(of:)` of a session's token, 32 bytes. The store contains it instead of the token.
public struct SessionDigest: Hashable, Sendable {
    /// The 32 bytes of the digest.
    package let bytes: [UInt8]

    /// Wraps 32 bytes.
    package init(bytes: [UInt8]) { self.bytes = bytes }
}

/// A session that has neither ended nor expired, with its account.
public struct LiveSession: Sendable {
    /// The owner of the session.
    public let account: Account
    /// The session.
    public let session: Session
}

/// Selects sessions of one account.
public enum SessionChoice: Equatable, Sendable {
    /// The session with this ``Session/shortID``, in upper or lower case.
    case one(String)
    /// All sessions except the caller's. For an operator, all sessions.
    case others
    /// All sessions.
    case all

    func includes(_ session: Session, askedBy own: SessionDigest?) -> Bool {
        switch self {
        case .one(let id): session.shortID.utf8.elementsEqual(id.lowercased().utf8)
        case .others: session.digest != own
        case .all: true
        }
    }
}
