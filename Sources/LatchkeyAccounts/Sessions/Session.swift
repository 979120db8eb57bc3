/// A session as a store keeps it: without its token.
public struct Session: Equatable, Sendable {
    public let digest: SessionDigest
    public let account: AccountID
    public let scope: Scope
    /// When its owner gave the password: a new password, given later, makes a new session.
    public let createdAt: Timestamp
    /// Written at most once a minute.
    public var lastUsedAt: Timestamp
    /// Where its owner came from, at most 255 bytes: what the caller named, or a terminal of this machine; empty where there
    /// was neither.
    public let source: String

    package init(
        digest: SessionDigest, account: AccountID, scope: Scope, createdAt: Timestamp, lastUsedAt: Timestamp,
        source: String = ""
    ) {
        self.digest = digest
        self.account = account
        self.scope = scope
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.source = source
    }

    /// What a person calls it by: the first 8 hexadecimal digits of the digest, which tell nothing of the token.
    public var shortID: String { Hexadecimal.text(of: digest.bytes.prefix(4)) }

    /// The same, where its owner has to change the password before anything else.
    var limitedToChangingPassword: Session {
        Session(
            digest: digest, account: account, scope: .changePassword, createdAt: createdAt, lastUsedAt: lastUsedAt,
            source: source)
    }

    /// What may be done with a session.
    public enum Scope: String, Sendable {
        case full
        /// Nothing but to change the password or to log out.
        case changePassword
    }
}

/// SHA-256 of a session's token, 32 bytes: what a store keeps and looks up in the token's place.
public struct SessionDigest: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }
}

/// A session that is neither ended nor too old, with whose it is.
public struct LiveSession: Sendable {
    public let account: Account
    public let session: Session

    package init(account: Account, session: Session) {
        self.account = account
        self.session = session
    }
}

/// Which of an account's sessions are meant.
public enum SessionChoice: Equatable, Sendable {
    /// The one of that ``Session/shortID``, in either case.
    case one(String)
    /// All but the one that asks; for an operator, who has none, all.
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
