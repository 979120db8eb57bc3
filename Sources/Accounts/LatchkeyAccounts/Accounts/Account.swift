public import LatchkeyForms

/// An account with all its stored values.
///
/// Two accounts are equal if they have the same ``id``.
public struct Account: Identifiable, Sendable {
    /// The permanent ID of the account.
    public let id: AccountID
    /// The username for logins; nil for an account with only an e-mail address.
    public var username: Username?
    /// The address that receives messages.
    public var email: EmailAddress {
        didSet { if email != oldValue { emailVerifiedAt = nil } }
    }
    /// The other fields of the sign-up form, by their `apiKey`.
    public var attributes: [String: FieldValue]
    /// Whether the account is enabled.
    public var state: AccountState
    /// The time of creation.
    public let createdAt: Timestamp
    /// The time of the last change.
    public var updatedAt: Timestamp

    /// The deadline for verifying the e-mail address; nil if it is verified or needs no verification.
    ///
    /// Until then the owner cannot log in. After the deadline the account may be deleted.
    public var verifyBy: Timestamp?

    /// The time when the owner verified ``email``, or when an operator confirmed it as the login name; nil if neither
    /// happened.
    public package(set) var emailVerifiedAt: Timestamp?

    /// Whether the owner must choose a new password before doing anything else.
    public var mustChangePassword: Bool

    /// The time when a generated password stops working; nil for a password that the owner chose.
    public package(set) var passwordExpiresAt: Timestamp?

    /// The time of the last login; nil if there was none since schema 16. A login for a program, which starts no session,
    /// does not count.
    public package(set) var lastLoginAt: Timestamp?

    /// The password hash; nil if the account has no password.
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
    /// The name that account lists are sorted by: the prepared username, or the folded address if there is none.
    public var loginName: LoginName {
        LoginName(stored: username?.prepared ?? email.folded)
    }

    /// The name to display, as typed: the username, or the e-mail address if there is none.
    public var name: String { username?.typed ?? email.typed }

    /// Marks the address as verified if it is the login name. The operator who enters it vouches for it.
    package mutating func vouchForLoginName(at now: Timestamp) {
        if username == nil, emailVerifiedAt == nil { emailVerifiedAt = now }
    }

    /// The reason why the login name is unsafe for programs; nil if it is safe.
    package var unsafety: RuleFailure? { username?.unsafety ?? (username == nil ? email.unsafety : nil) }

    /// The stored values, by the key of the form field that asks for each.
    package var present: [FieldKey: FieldValue] {
        Dictionary(username: username?.typed, email: email.typed, attributes: attributes)
    }
}

/// Whether an account is enabled.
public enum AccountState: String, Sendable, CaseIterable {
    /// The account can log in.
    case active
    /// Disabled by an operator. Every login fails as if the password were wrong.
    case disabled
}
