import LatchkeyFlows

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
