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
    /// The owner of a session gives the password once more, because a call needs a recent one.
    case reauthenticate
    /// Finish a login, or what else the password alone did not finish, with the second factor.
    case secondFactor
    /// Set up an authenticator app. Without a code the call begins, and with one it ends.
    case addFactor

    /// Whether a form may link to this flow, and a run may open with it.
    public var canBeOpened: Bool {
        switch self {
        case .reauthenticate, .secondFactor, .addFactor: false
        case .login, .setup, .forgotPassword, .resetPassword, .changePassword, .profile, .deleteAccount: true
        }
    }

    /// The flows that a form may link to.
    public static var linkTargets: [AccountType] { allCases.filter(\.canBeOpened) }

    /// Whether an unusable value (not UTF-8, or too long) is passed on to the service, which refuses it like any wrong
    /// one. A form that refused it earlier would show a difference that an attacker could use.
    public var hidesUnusableValues: Bool {
        switch self {
        case .login, .reauthenticate, .secondFactor: true
        case .setup, .forgotPassword, .resetPassword, .changePassword, .profile, .deleteAccount, .addFactor: false
        }
    }
}
