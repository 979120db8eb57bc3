public import LatchkeyForms

/// An account and everything that the store knows about it.
///
/// Two accounts are the same if their ``id`` is the same.
public struct Account: Identifiable, Sendable {
    /// Stays the same for the life of the account.
    public let id: AccountID
    /// The name that the owner logs in with; nil for an account by e-mail address alone.
    public var username: Username?
    /// The address that messages go to.
    public var email: EmailAddress {
        didSet { if email != oldValue { emailVerifiedAt = nil } }
    }
    /// The other fields of the sign-up form, by their `apiKey`.
    public var attributes: [String: FieldValue]
    /// Whether the account is enabled.
    public var state: AccountState
    /// When the account was created.
    public let createdAt: Timestamp
    /// When the account last changed.
    public var updatedAt: Timestamp

    /// The deadline for verifying the e-mail address; nil if it is verified or needs no verification.
    ///
    /// Until then the owner cannot log in. After the deadline the account may be deleted.
    public var verifyBy: Timestamp?

    /// When the owner proved to read the messages to ``email``, or an operator vouched for it as a login name; nil if
    /// neither happened.
    public package(set) var emailVerifiedAt: Timestamp?

    /// Whether the owner must choose a new password before doing anything else.
    public var mustChangePassword: Bool

    /// When the password stops working; nil for a password that the owner chose.
    public package(set) var passwordExpiresAt: Timestamp?

    /// Nil if the account has no password.
    package var passwordHash: PasswordHash?

    /// Counts password changes. Rehashing or resealing the same password does not change it.
    package var passwordGeneration = 0

    /// Creates an account that has never been updated.
    package init(
        id: AccountID, username: Username?, email: EmailAddress, attributes: [String: FieldValue] = [:],
        state: AccountState = .active, createdAt: Timestamp, mustChangePassword: Bool = false,
        verifyBy: Timestamp? = nil, passwordHash: PasswordHash?
    ) {
        self.id = id
        self.username = username
        self.email = email
        self.attributes = attributes
        self.state = state
        self.createdAt = createdAt
        self.updatedAt = createdAt
        self.mustChangePassword = mustChangePassword
        self.verifyBy = verifyBy
        self.passwordHash = passwordHash
    }
}

extension Account {
    /// Orders lists of accounts. No two accounts have the same.
    public var loginName: LoginName {
        LoginName(stored: username?.prepared ?? email.folded)
    }

    /// What people see: the username, or the e-mail address of an account without one, as typed.
    public var name: String { username?.typed ?? email.typed }

    /// Marks an address that is the login name as verified: the operator who enters it vouches for it.
    package mutating func vouchForLoginName(at now: Timestamp) {
        if username == nil, emailVerifiedAt == nil { emailVerifiedAt = now }
    }

    /// Why programs must not get the login name; nil if they may.
    package var unsafety: RuleFailure? { username?.unsafety ?? (username == nil ? email.unsafety : nil) }

    /// The stored values by the fields of the forms that ask for them.
    package var present: [FieldKey: FieldValue] {
        Dictionary(username: username?.typed, email: email.typed, attributes: attributes)
    }
}

/// Whether an account is enabled.
public enum AccountState: String, Sendable, CaseIterable {
    case active
    /// Disabled by an operator. A login fails as if the password were wrong.
    case disabled
}
