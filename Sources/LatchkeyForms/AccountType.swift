/// The flow that a form belongs to. A new case does not compile until every `switch` handles it.
public enum AccountType: String, Sendable, CaseIterable {
    /// Log in with a username, an e-mail address or an id.
    case login
    /// Create an account.
    case setup
    /// Ask for a recovery code by mail.
    case forgotPassword
    /// Set a new password with a recovery code.
    case resetPassword
    /// Replace the current password.
    case changePassword
    /// Edit the details of the signed-in account.
    case profile
    /// Delete the signed-in account.
    case deleteAccount

    /// Whether an unusable value (not UTF-8, or too long) is passed on to the service, which refuses it like any wrong
    /// one. A form that refused it earlier would show a difference that an attacker could use.
    public var hidesUnusableValues: Bool {
        switch self {
        case .login: true
        case .setup, .forgotPassword, .resetPassword, .changePassword, .profile, .deleteAccount: false
        }
    }
}
