public import LatchkeyForms

/// The properties of an account that are not fields of the sign-up form. Imports and exports have a column for each of
/// them.
extension FieldKey {
    /// The account's id (a UUID).
    public static let accountID: FieldKey = "id"
    /// A password hash from another program.
    public static let passwordHash: FieldKey = "password_hash"
    /// The secret of the authenticator app, in base 32.
    public static let totpSecret: FieldKey = "totp_secret"
    /// Whether the account is disabled.
    public static let disabled: FieldKey = "disabled"
    /// Whether the owner must change the password.
    public static let requireChange: FieldKey = "require_change"
    /// The groups of the account.
    public static let groups: FieldKey = "groups"
    /// The time of creation (RFC 3339).
    public static let createdAt: FieldKey = "created_at"
    /// The name of an app password.
    public static let appPasswordName: FieldKey = "name"
}
