public import LatchkeyForms
public import LatchkeySecrets

/// The values for an account, not yet validated: those of a sign-up, of an operator, or of a row in an operator's file.
///
/// A property that is nil was not given: a new account gets the default, and an existing one keeps its value.
public struct AccountDraft: Sendable {
    /// Nil gives a new account a random id.
    public var id: AccountID?
    /// The username as typed. Nil or empty for an account by e-mail address alone; an empty one removes the username of
    /// an existing account.
    public var username: String?
    /// The e-mail address as typed.
    public var email: String
    /// The other fields of the sign-up form, by their `apiKey`. An empty value removes the stored one.
    public var attributes: [String: FieldValue]
    /// Values by the fields' `apiKey` that only a new account gets.
    public var defaults: [String: FieldValue]
    /// A plain password; excludes ``passwordHash``. The owner of a new account without a password sets one with a
    /// recovery code.
    public var password: Secret?
    /// Whether ``AccountService/newPassword()`` generated the password.
    ///
    /// Such a password works for one day and must be changed at the first login.
    public var isPasswordGenerated = false
    /// A hash that another program made; excludes ``password``. A hash that is empty or begins with `!` or `*` means
    /// that the account has no password.
    public var passwordHash: PasswordHash?
    /// The secret of the owner's authenticator app, 20 bytes. Nil adds none and removes none.
    public var totpSecret: Secret?
    /// Whether the account can be used.
    public var state: AccountState?
    /// Whether the owner must choose another password at the next login.
    public var mustChangePassword: Bool?
    /// Only used for new accounts: the creation time of an account never changes.
    public var createdAt: Timestamp?

    /// A draft with the given values.
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
