import LatchkeySecrets

/// A stored session. It does not contain its token.
public struct Session: Equatable, Sendable {
    /// Identifies the token.
    public let digest: SessionDigest
    /// The owner of the session.
    public let account: AccountID
    /// The permissions of the session.
    public let scope: Scope
    /// The time of creation, from which its age is counted.
    public let createdAt: Timestamp
    /// The time when the owner entered the password; nil if an operator created the session. Entering the password
    /// again creates a new session.
    public let authenticatedAt: Timestamp?
    /// The owner's authentication methods; empty if an operator created the session.
    public let methods: AuthenticationMethods
    /// The time of the last use; written at most once a minute.
    public var lastUsedAt: Timestamp
    /// The place of the login: the source that the caller reported or a local terminal, at most 255 bytes. Empty if
    /// unknown; `operator` if an operator created the session.
    public let source: String
    package var tag: [UInt8] = []

    /// Creates a session.
    package init(
        digest: SessionDigest, account: AccountID, scope: Scope, createdAt: Timestamp, lastUsedAt: Timestamp,
        authenticatedAt: Timestamp? = nil, methods: AuthenticationMethods = .password, source: String = ""
    ) {
        self.digest = digest
        self.account = account
        self.scope = scope
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.authenticatedAt = authenticatedAt
        self.methods = methods
        self.source = source
    }

    /// The ID for people: the first 8 hexadecimal digits of the digest. It reveals nothing about the token.
    public var shortID: String { Hexadecimal.text(of: digest.bytes.prefix(4)) }

    /// The source of a session that an operator created. No address or terminal has this name.
    static let operatorSource = "operator"

    /// A copy of the session that is limited to changing the password.
    var limitedToChangingPassword: Session {
        Session(
            digest: digest, account: account, scope: .changePassword, createdAt: createdAt, lastUsedAt: lastUsedAt,
            authenticatedAt: authenticatedAt, methods: methods, source: source)
    }

    /// The permissions of a session.
    public enum Scope: String, Sendable {
        case full
        /// Only to change the password or to log out.
        case changePassword
    }
}

/// The authentication methods of a session's owner.
public struct AuthenticationMethods: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let password = AuthenticationMethods(rawValue: 1)
    /// A one-time password of an authenticator app.
    public static let oneTimePassword = AuthenticationMethods(rawValue: 2)
    /// One of the codes that the owner saved for a lost phone.
    public static let savedCode = AuthenticationMethods(rawValue: 4)

    /// A passkey: the proof of possession of a key.
    public static let passkey = AuthenticationMethods(rawValue: 8)

    /// The names of the methods, from RFC 8176 where it has one.
    public var names: [String] {
        [
            (.password, "pwd"), (.oneTimePassword, "otp"), (AuthenticationMethods.savedCode, "saved_code"),
            (.passkey, "pop"),
        ].filter { contains($0.0) }.map(\.1)
    }

    /// The authentication assurance level (NIST SP 800-63B-4, section 2): 2 for two factors, which a passkey is alone;
    /// nil without any authentication.
    public var assuranceLevel: Int? {
        guard !isEmpty else { return nil }
        // The authenticator of a passkey has verified its user too.
        return contains(.passkey) || contains(.password) && !isDisjoint(with: [.oneTimePassword, .savedCode]) ? 2 : 1
    }
}

/// Identifies a session in the store instead of its token: ``StoreKey/lookupKey(of:)``, 32 bytes.
public struct SessionDigest: Hashable, Sendable {
    /// The digest itself, 32 bytes.
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
    /// The session with this ``Session/shortID``, in either case.
    case one(String)
    /// All sessions but the caller's; for an operator, all.
    case others
    case all

    func includes(_ session: Session, askedBy own: SessionDigest?) -> Bool {
        switch self {
        case .one(let id): session.shortID.utf8.elementsEqual(id.lowercased().utf8)
        case .others: session.digest != own
        case .all: true
        }
    }
}
