/// Which flow a form belongs to: the blueprint of the program. A new case does not compile until every `switch` knows it.
public enum AccountType: String, Sendable, CaseIterable {
    case login
    case setup
    case forgotPassword
    case resetPassword
    case changePassword
    case profile
    case deleteAccount

    /// Whether a value that cannot be one (bytes that are no UTF-8, too many of them) goes on to the service all the
    /// same, where it fails like any wrong one. Told apart here, it would show what the answer must not tell.
    public var hidesUnusableValues: Bool {
        switch self {
        case .login: true
        case .setup, .forgotPassword, .resetPassword, .changePassword, .profile, .deleteAccount: false
        }
    }
}
