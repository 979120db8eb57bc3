public import LatchkeyForms
public import LatchkeySecrets

/// A response of ``Networking``: a code with its numeric status, and the outcome of the call. It never contains a
/// token, because the implementation stores the session's token itself.
public struct NetworkResponse: Equatable, Sendable {
    /// The stable code of the response.
    public let code: Code
    /// The outcome of the call.
    public let outcome: Outcome
    /// The account, if the call succeeded and may reveal it.
    public let account: AccountSummary?
    /// Failed logins since the last visit; nil if there were none, or if the caller has not yet authenticated as the
    /// owner.
    public let failedLogins: FailedLoginsSummary?

    /// The folder of the waiting message if no mailer is configured. It is only set for a caller who may read it: the
    /// user of this machine, at a terminal.
    public let outbox: String?
    /// Secrets that the owner sees only once; nil for most responses. Events never contain them.
    public let disclosure: FactorDisclosure?

    /// The code as an HTTP status (RFC 9110, section 15).
    public var status: Int { code.status }

    init(
        code: Code, outcome: Outcome, account: AccountSummary? = nil, failedLogins: FailedLoginsSummary? = nil,
        outbox: String? = nil, disclosure: FactorDisclosure? = nil
    ) {
        self.code = code
        self.outcome = outcome
        self.account = account
        self.failedLogins = failedLogins
        self.outbox = outbox
        self.disclosure = disclosure
    }

    /// The call succeeded.
    public static func success(
        _ account: AccountSummary? = nil, failedLogins: FailedLoginsSummary? = nil
    ) -> NetworkResponse {
        NetworkResponse(code: .success, outcome: .success, account: account, failedLogins: failedLogins)
    }

    /// The call was accepted. A code sent by e-mail completes it.
    public static func codeSent(_ account: AccountSummary? = nil) -> NetworkResponse {
        NetworkResponse(code: .codeSent, outcome: .success, account: account)
    }

    /// A copy of the response with the folder of its message.
    public func inOutbox(_ folder: String?) -> NetworkResponse {
        NetworkResponse(
            code: code, outcome: outcome, account: account, failedLogins: failedLogins, outbox: folder,
            disclosure: disclosure)
    }

    /// The secret for an authenticator app. A code from the app completes the set-up.
    public static func enrolmentStarted(_ authenticator: FactorDisclosure) -> NetworkResponse {
        NetworkResponse(code: .enrolmentStarted, outcome: .success, disclosure: authenticator)
    }

    /// A second factor has completed a recovery. The new password is set, and the owner can log in with it.
    public static let passwordReset = NetworkResponse(code: .passwordReset, outcome: .success)

    /// A copy of the response with secrets to show.
    public func disclosing(_ disclosure: FactorDisclosure?) -> NetworkResponse {
        NetworkResponse(
            code: code, outcome: outcome, account: account, failedLogins: failedLogins, outbox: outbox,
            disclosure: disclosure)
    }

    /// The user is logged in, but must choose a new password first.
    public static func changeRequired(
        _ account: AccountSummary? = nil, failedLogins: FailedLoginsSummary? = nil
    ) -> NetworkResponse {
        NetworkResponse(
            code: .changeRequired, outcome: .mustChangePassword, account: account, failedLogins: failedLogins)
    }

    /// The call was refused. For wrong credentials there are no failures, because the response must not reveal which
    /// value was wrong.
    public static func refused(_ code: Code, _ failures: [RuleFailure] = []) -> NetworkResponse {
        NetworkResponse(code: code, outcome: .refused(failures))
    }

    /// There were too many attempts. The caller may try again after `retryAfter`.
    public static func throttled(retryAfter: Duration) -> NetworkResponse {
        NetworkResponse(code: .throttled, outcome: .throttled(retryAfter: retryAfter))
    }

    /// The call had no effect, for a reason unrelated to its values.
    public static func unavailable(_ code: Code = .unavailable) -> NetworkResponse {
        NetworkResponse(code: code, outcome: .unavailable)
    }

    /// The outcome of a call.
    public enum Outcome: Equatable, Sendable {
        /// The call succeeded.
        case success
        /// The user is logged in, but must choose a new password first.
        case mustChangePassword
        /// The service refused these values. Empty for wrong credentials.
        case refused([RuleFailure])
        /// Too many attempts.
        case throttled(retryAfter: Duration)
        /// The call had no effect.
        case unavailable
    }

    /// Stable codes. The meaning of a released code never changes.
    public enum Code: String, Sendable, CaseIterable {
        /// The call did what it was for.
        case success
        /// A code is on its way to the address.
        case codeSent = "code_sent"
        /// The call was accepted. A code from the new authenticator app completes it.
        case enrolmentStarted = "enrolment_started"
        /// The second factor has completed a recovery.
        case passwordReset = "password_reset"
        /// The name or the password is wrong.
        case invalidCredentials = "invalid_credentials"
        /// The code of the second factor is wrong or already used.
        case invalidCode = "invalid_code"
        /// There is no session, or it has ended.
        case noSession = "no_session"
        /// The password is right and must be changed.
        case changeRequired = "change_required"
        /// The password was not entered recently enough.
        case reauthenticationRequired = "reauthentication_required"
        /// The password is correct, but a second factor is required.
        case factorRequired = "second_factor_required"
        /// The password is correct, but the account must add a second factor.
        case enrolmentRequired = "enrolment_required"
        /// The account already has an authenticator.
        case factorExists = "factor_exists"
        /// A value belongs to another account.
        case taken
        /// A rule refuses a value.
        case validationFailed = "validation_failed"
        /// There were too many attempts.
        case throttled
        /// A fault of the program.
        case `internal`
        /// The service or the store did not answer in time.
        case unavailable
        /// There is too little memory for a hash.
        case noMemory = "no_memory"
        /// The system gave no random bytes.
        case noRandomness = "no_randomness"
        /// A list of common passwords is damaged or unreadable, so no password was set.
        case blocklistUnusable = "blocklist_unusable"
        /// The store could not be read or written.
        case storageFailed = "storage_failed"
        /// The disk is full.
        case storeFull = "store_full"
        /// The store may only be read.
        case storeReadOnly = "store_read_only"
        /// The store is damaged.
        case storeCorrupt = "store_corrupt"

        /// The code as an HTTP status (RFC 9110, section 15).
        public var status: Int {
            switch self {
            case .success, .passwordReset: 200
            case .codeSent, .enrolmentStarted: 202
            case .invalidCredentials, .invalidCode, .noSession: 401
            case .changeRequired, .reauthenticationRequired, .factorRequired, .enrolmentRequired: 403
            case .taken, .factorExists: 409
            case .validationFailed: 422
            case .throttled: 429
            case .internal, .blocklistUnusable: 500
            case .unavailable, .noMemory, .noRandomness: 503
            case .storageFailed, .storeFull, .storeReadOnly, .storeCorrupt: 507
            }
        }
    }
}

/// Secrets of a second factor that its owner must write down.
public enum FactorDisclosure: Equatable, Sendable {
    /// The `otpauth:` URI of an authenticator app for a QR code, and its secret in base 32 for typing, in groups of
    /// four.
    case authenticator(uri: Secret, secret: Secret)
    /// The codes for a lost authenticator. Each code works once.
    case savedCodes([Secret])

    public static func == (left: FactorDisclosure, right: FactorDisclosure) -> Bool {
        switch (left, right) {
        case (.authenticator(let uri, let secret), .authenticator(let otherURI, let otherSecret)):
            uri.isEqual(to: otherURI) && secret.isEqual(to: otherSecret)
        case (.savedCodes(let codes), .savedCodes(let others)):
            codes.count == others.count && zip(codes, others).allSatisfy { $0.isEqual(to: $1) }
        case (.authenticator, .savedCodes), (.savedCodes, .authenticator): false
        }
    }
}
