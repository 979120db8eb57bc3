public import LatchkeyAccounts
public import LatchkeyForms
public import LatchkeySecrets

/// The unchecked account of one row in an operator's file: of an import or of a desired state.
///
/// A property that is nil was not given: a new account gets the default, and an existing one keeps its value.
public struct ProvisionedAccount: Sendable {
    /// Nil gives a new account a random id.
    public var id: AccountID?
    /// As typed, without any preparation; an empty text removes the username of an existing account.
    public var username: String?
    /// As typed, without any preparation.
    public var email: String
    /// Values by the fields' `apiKey`; an empty value removes the stored one.
    public var attributes: [String: FieldValue]
    /// Values by the fields' `apiKey` that only a new account gets.
    public var defaults: [String: FieldValue]
    /// A plain password; excludes ``passwordHash``.
    public var password: Secret?
    /// A hash that another program made; excludes ``password``. A hash that is empty or begins with `!` or `*` means that
    /// the account has no password.
    public var passwordHash: PasswordHash?
    /// The secret of the owner's authenticator app, 20 bytes. Nil adds none and removes none.
    public var totpSecret: Secret?
    /// Whether the account can be used.
    public var state: AccountState?
    /// Whether the owner must choose another password at the next login.
    public var mustChangePassword: Bool?
    /// Only used for new accounts: the creation time of an account never changes.
    public var createdAt: Timestamp?

    /// An account with the values that its row gives.
    public init(
        id: AccountID? = nil, username: String? = nil, email: String, attributes: [String: FieldValue] = [:],
        defaults: [String: FieldValue] = [:], password: Secret? = nil, passwordHash: PasswordHash? = nil,
        totpSecret: Secret? = nil, state: AccountState? = nil, mustChangePassword: Bool? = nil,
        createdAt: Timestamp? = nil
    ) {
        self.id = id
        self.username = username
        self.email = email
        self.attributes = attributes
        self.defaults = defaults
        self.password = password
        self.passwordHash = passwordHash
        self.totpSecret = totpSecret
        self.state = state
        self.mustChangePassword = mustChangePassword
        self.createdAt = createdAt
    }
}

extension FieldKey {
    /// In a desired state: the path of a file whose first line is the password.
    package static let passwordFile: FieldKey = "password_file"
}
