import LatchkeyFlows

/// The exit statuses of Latchkey and of programs that use its login: 0, 1 and those in `sysexits.h`.
public enum ExitStatus: Int32, Sendable, CaseIterable {
    /// The command succeeded or had nothing to do.
    case done = 0
    /// The verdict is negative, or the login failed.
    case no = 1
    /// The command line is wrong.
    case usage = 64
    /// The data is not valid.
    case data = 65
    /// An input file cannot be read.
    case noInput = 66
    /// The store is locked, or a required program is missing.
    case unavailable = 69
    /// There is a bug in latchkey.
    case software = 70
    /// The system has run out of randomness, memory, threads or descriptors.
    case system = 71
    /// An output file cannot be created.
    case cannotCreate = 73
    /// Reading or writing failed.
    case inputOutput = 74
    /// The call was throttled and can be repeated later.
    case temporary = 75
    /// The item already exists.
    case exists = 76
    /// The operation is not permitted.
    case notAllowed = 77
    /// The configuration is wrong.
    case configuration = 78
    /// `run`: the program could not be executed (POSIX, sh, 2.8.2).
    case cannotExecute = 126
    /// `run`: the program does not exist (POSIX, sh, 2.8.2).
    case programNotFound = 127

    /// The statuses of all commands that open the store, in addition to 0.
    package static let ofStores: [ExitStatus] = [
        .usage, .noInput, .unavailable, .software, .system, .inputOutput, .notAllowed, .configuration,
    ]

    /// The `status` in `--json` for a result that is not a flow's response, as an HTTP status (RFC 9110, section 15).
    var httpStatus: Int {
        switch self {
        case .done: 200
        case .no: 404
        case .usage: 400
        case .data: 422
        case .noInput, .programNotFound: 404
        case .unavailable, .system: 503
        case .software, .configuration: 500
        case .inputOutput: 507
        case .temporary: 429
        case .exists, .cannotCreate: 409
        case .notAllowed, .cannotExecute: 403
        }
    }

    /// The line for this status in `--help`.
    var meaning: String {
        switch self {
        case .done: "done, or nothing to do"
        case .no: "no: wrong login, not found, or a check failed"
        case .usage: "wrong usage: an unknown flag, a missing field"
        case .data: "invalid data: a rule failed"
        case .noInput: "an input file or the store is missing or cannot be read"
        case .unavailable: "the store is locked or cannot be reached, or mail could not be sent"
        case .software: "a bug in latchkey"
        case .system: "the system has no randomness, memory, threads or descriptors left"
        case .cannotCreate: "the output file already exists, or its folder is missing"
        case .inputOutput: "reading or writing failed: disk full, store read-only or damaged"
        case .temporary: "throttled: try again later"
        case .exists: "already exists"
        case .notAllowed: "not permitted: a file that others can access, or a required password change"
        case .configuration: "the configuration, a form or a key is wrong"
        case .cannotExecute: "the program cannot be executed"
        case .programNotFound: "the program does not exist"
        }
    }
}

extension NetworkResponse.Code {
    /// The exit status of a command that received this response.
    var exitStatus: ExitStatus {
        switch self {
        case .success, .codeSent, .enrolmentStarted, .passwordReset: .done
        case .invalidCredentials, .invalidCode, .noSession: .no
        case .changeRequired, .reauthenticationRequired, .factorRequired, .enrolmentRequired: .notAllowed
        case .taken, .factorExists: .exists
        case .validationFailed: .data
        case .throttled: .temporary
        case .internal: .software
        case .unavailable: .unavailable
        case .blocklistUnusable: .configuration
        case .noMemory, .noRandomness: .system
        case .storageFailed, .storeFull, .storeReadOnly, .storeCorrupt: .inputOutput
        }
    }
}
