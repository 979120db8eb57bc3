public import LatchkeyForms
public import LatchkeySecrets

/// What an operator's file says of one account: a row of an import, or of a desired state. Nothing in it is checked yet.
///
/// What is nil was not given: a new account has none of it, and one that there is already keeps what it has.
public struct ProvisionedAccount: Sendable {
    /// A new account that is given none gets a random one.
    public var id: AccountID?
    public var username: String
    public var email: String
    /// By the fields' `apiKey`; an empty text removes what is kept.
    public var attributes: [String: String]
    public var password: Secret?
    /// In the place of a password, its hash as another program has made it; one that is empty, or begins with `!` or `*`,
    /// says that there is to be no password.
    public var passwordHash: PasswordHash?
    public var state: AccountState?
    /// Whether the owner must choose another password at the next login.
    public var mustChangePassword: Bool?
    /// Of a new account alone: when an account was made is never changed.
    public var createdAt: Timestamp?

    public init(
        id: AccountID? = nil, username: String, email: String, attributes: [String: String] = [:],
        password: Secret? = nil, passwordHash: PasswordHash? = nil, state: AccountState? = nil,
        mustChangePassword: Bool? = nil, createdAt: Timestamp? = nil
    ) {
        self.id = id
        self.username = username
        self.email = email
        self.attributes = attributes
        self.password = password
        self.passwordHash = passwordHash
        self.state = state
        self.mustChangePassword = mustChangePassword
        self.createdAt = createdAt
    }
}

/// The columns that a row has beside the fields of the set-up form.
extension FieldKey {
    public static let accountID: FieldKey = "id"
    public static let passwordHash: FieldKey = "password_hash"
    public static let disabled: FieldKey = "disabled"
    public static let requireChange: FieldKey = "require_change"
    public static let createdAt: FieldKey = "created_at"
}
