/// The flow of a form. A new case does not compile until `traits` has a row for it and every `switch` handles it.
public enum AccountType: String, Sendable, CaseIterable {
    /// Log in with a username, an e-mail address or an ID.
    case login
    /// Create an account.
    case setup
    /// Request a recovery code by e-mail.
    case forgotPassword
    /// Set a new password with a recovery code.
    case resetPassword
    /// Replace the current password.
    case changePassword
    /// Edit the details of the logged-in account.
    case profile
    /// Delete the logged-in account.
    case deleteAccount
    /// Enter the password of a session again, for a call that requires a recent authentication.
    case reauthenticate
    /// Finish a login or a recovery with the second factor.
    case secondFactor
    /// Set up an authenticator app. A call without a code returns the secret, and a call with a code completes the
    /// set-up.
    case addFactor
}
