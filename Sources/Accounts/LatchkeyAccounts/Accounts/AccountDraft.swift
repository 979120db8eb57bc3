public import LatchkeyForms
public import LatchkeySecrets

/// The unvalidated values for an account, from a sign-up, an operator or a row of an import file.
///
/// A nil property was not specified: a new account gets the default, and an existing account keeps its value.
public struct AccountDraft: Sendable {
    /// The ID of a new account; nil for a random one.
    public var id: AccountID?
    /// The username as typed. If it is nil or empty, a new account has only an e-mail address. An empty string removes
    /// the username of an existing account.
    public var username: String?
    /// The e-mail address as typed.
    public var email: String
    /// The other fields of the sign-up form, by their `apiKey`. An empty value removes the stored one.
    public var attributes: [String: FieldValue]
    /// Values for new accounts only, by the fields' `apiKey`.
    public var defaults: [String: FieldValue]
    /// A plain password. Mutually exclusive with ``passwordHash``. If a new account has neither, the owner sets a
    /// password with a recovery code.
    public var password: Secret?
    /// Whether ``AccountService/newPassword()`` generated the password.
    ///
    /// Such a password works for one day and must be changed at the first login.
    public var isPasswordGenerated = false
    /// A hash that another program created. Mutually exclusive with ``password``. A hash that is empty or begins with
    /// `!` or `*` means that the account has no password.
    public var passwordHash: PasswordHash?
    /// The secret of the owner's authenticator app, 20 bytes. If it is nil, the authenticator does not change.
    public var totpSecret: Secret?
    /// Whether the account is enabled.
    public var state: AccountState?
    /// Whether the owner must choose a new password at the next login.
    public var mustChangePassword: Bool?
    /// All groups of the account. Only operators' drafts may have them: an owner cannot change them.
    public var groups: [GroupName]?
    /// The creation time of a new account. It is ignored for an existing account, whose creation time never changes.
    public var createdAt: Timestamp?

    /// Creates a draft with the given values.
    public init(
        id: AccountID? = nil, username: String? = nil, email: String, attributes: [String: FieldValue] = [:],
        defaults: [String: FieldValue] = [:], password: Secret? = nil, passwordHash: PasswordHash? = nil,
        totpSecret: Secret? = nil, state: AccountState? = nil, mustChangePassword: Bool? = nil,
        groups: [GroupName]? = nil, createdAt: Timestamp? = nil
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
        self.groups = groups
        self.createdAt = createdAt
    }
}
