/// How a run ends: the numbers of `sysexits.h`, and 0 and 1.
enum ExitStatus: Int32, Sendable, CaseIterable {
    /// Done, or already so.
    case done = 0
    /// The answer is no.
    case no = 1
    /// Used wrongly.
    case usage = 64
    /// The data is not valid.
    case data = 65
    /// An input file cannot be read.
    case noInput = 66
    /// Something needed is not there.
    case unavailable = 69
    /// A fault in latchkey.
    case software = 70
    /// The system refuses: no randomness, memory, threads or descriptors.
    case system = 71
    /// An output file cannot be made.
    case cannotCreate = 73
    /// Reading or writing failed.
    case inputOutput = 74
    /// Not now; try again later.
    case temporary = 75
    /// Exists already.
    case exists = 76
    /// Not allowed.
    case notAllowed = 77
    /// The configuration is wrong.
    case configuration = 78
    /// `run`: the program cannot be executed (POSIX, sh, 2.8.2).
    case cannotExecute = 126
    /// `run`: there is no such program (POSIX, sh, 2.8.2).
    case programNotFound = 127

    /// What every command can end with that opens the store, beside 0.
    static let ofStores: [ExitStatus] = [
        .usage, .noInput, .unavailable, .software, .system, .inputOutput, .notAllowed, .configuration,
    ]

    /// The number that goes with it in `--json` answers, in HTTP's terms (RFC 9110, section 15), where the answer did
    /// not come from a call.
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

    /// What `--help` says of it.
    var meaning: String {
        switch self {
        case .done: "done, or already so"
        case .no: "the answer is no"
        case .usage: "used wrongly: an unknown flag, a missing field"
        case .data: "the data is not valid: a rule failed"
        case .noInput: "an input file, or the store, is not there, or may not be read"
        case .unavailable: "the store is locked for longer than the wait"
        case .software: "a fault in latchkey"
        case .system: "the system refuses: no randomness, memory, threads or descriptors"
        case .cannotCreate: "the file that was to be made is there already, or its folder is not"
        case .inputOutput: "reading or writing failed: disk full, store read-only or damaged"
        case .temporary: "not now, try again later: throttled"
        case .exists: "exists already"
        case .notAllowed: "not allowed: a file open to others, a change of password demanded"
        case .configuration: "the configuration, a form or a key is wrong"
        case .cannotExecute: "the program cannot be executed"
        case .programNotFound: "there is no such program"
        }
    }
}
