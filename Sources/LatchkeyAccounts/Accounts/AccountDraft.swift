public import LatchkeySecrets

/// What somebody asks to be made an account of: nothing in it is checked yet.
public struct AccountDraft: Sendable {
    /// Nil for a random one.
    public var id: AccountID?
    public var username: String
    public var email: String
    /// By the fields' `apiKey`.
    public var attributes: [String: String]
    /// Nil for an account whose owner first has to recover it.
    public var password: Secret?
    /// Whether the password is one that ``AccountService/newPassword()`` gave: it has to be changed at the first login, and
    /// opens the account for a day.
    public var isPasswordGenerated = false
    /// In the place of a password, its hash as another program has made it.
    public var passwordHash: PasswordHash?
    /// Whether the owner must choose another password at the first login.
    public var mustChangePassword: Bool

    public init(
        username: String, email: String, attributes: [String: String] = [:], password: Secret?,
        mustChangePassword: Bool = false
    ) {
        self.username = username
        self.email = email
        self.attributes = attributes
        self.password = password
        self.mustChangePassword = mustChangePassword
    }
}
