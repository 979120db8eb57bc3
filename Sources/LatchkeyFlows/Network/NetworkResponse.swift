public import LatchkeyForms

/// An answer of ``Networking``: a code with its numeric status, and what came of the call. Holds no secret: a session's
/// token goes from the implementation to a session store.
public struct NetworkResponse: Equatable, Sendable {
    public let code: Code
    public let outcome: Outcome
    /// Whose account it was about, where the call succeeded and may tell.
    public let account: AccountSummary?
    /// What the owner is told of attempts before this one; nil where none failed, and before somebody has proved to be the
    /// owner.
    public let failedLogins: FailedLoginsSummary?

    /// The number that goes with the code, in HTTP's terms (RFC 9110, section 15).
    public var status: Int { code.status }

    init(
        code: Code, outcome: Outcome, account: AccountSummary? = nil, failedLogins: FailedLoginsSummary? = nil
    ) {
        self.code = code
        self.outcome = outcome
        self.account = account
        self.failedLogins = failedLogins
    }

    /// The call did what it was asked to.
    public static func success(
        _ account: AccountSummary? = nil, failedLogins: FailedLoginsSummary? = nil
    ) -> NetworkResponse {
        NetworkResponse(code: .success, outcome: .success, account: account, failedLogins: failedLogins)
    }

    /// Begun, and to be finished with the code that was sent to an address.
    public static func codeSent(_ account: AccountSummary? = nil) -> NetworkResponse {
        NetworkResponse(code: .codeSent, outcome: .success, account: account)
    }

    /// Signed in, but only to choose a new password.
    public static func changeRequired(
        _ account: AccountSummary? = nil, failedLogins: FailedLoginsSummary? = nil
    ) -> NetworkResponse {
        NetworkResponse(
            code: .changeRequired, outcome: .mustChangePassword, account: account, failedLogins: failedLogins)
    }

    /// The answer is no. Wrong credentials have no failures: which of them was wrong is not told.
    public static func refused(_ code: Code, _ failures: [RuleFailure] = []) -> NetworkResponse {
        NetworkResponse(code: code, outcome: .refused(failures))
    }

    /// Not now.
    public static func throttled(retryAfter: Duration) -> NetworkResponse {
        NetworkResponse(code: .throttled, outcome: .throttled(retryAfter: retryAfter))
    }

    /// Nothing was done, for a reason that lies not with the answers.
    public static func unavailable(_ code: Code = .unavailable) -> NetworkResponse {
        NetworkResponse(code: code, outcome: .unavailable)
    }

    /// What came of a call.
    public enum Outcome: Equatable, Sendable {
        case success
        case mustChangePassword
        case refused([RuleFailure])
        case throttled(retryAfter: Duration)
        case unavailable
    }

    /// Stable for ever.
    public enum Code: String, Sendable, CaseIterable {
        case success
        case codeSent = "code_sent"
        case invalidCredentials = "invalid_credentials"
        case noSession = "no_session"
        case changeRequired = "change_required"
        case reauthenticationRequired = "reauthentication_required"
        case taken
        case validationFailed = "validation_failed"
        case throttled
        case `internal`
        case unavailable
        case noMemory = "no_memory"
        case noRandomness = "no_randomness"
        /// A list of common passwords is damaged or cannot be read; no password was set.
        case blocklistUnusable = "blocklist_unusable"
        case storageFailed = "storage_failed"
        case storeFull = "store_full"
        case storeReadOnly = "store_read_only"
        case storeCorrupt = "store_corrupt"

        public var status: Int {
            switch self {
            case .success: 200
            case .codeSent: 202
            case .invalidCredentials, .noSession: 401
            case .changeRequired, .reauthenticationRequired: 403
            case .taken: 409
            case .validationFailed: 422
            case .throttled: 429
            case .internal, .blocklistUnusable: 500
            case .unavailable, .noMemory, .noRandomness: 503
            case .storageFailed, .storeFull, .storeReadOnly, .storeCorrupt: 507
            }
        }
    }
}
