import LatchkeyFlows
import LatchkeyForms

extension ToolFailure {
    /// The end of a command whose call was not a success.
    init(_ response: NetworkResponse, in form: Form, _ messages: MessageTable) {
        var values: [String: RuleFailure.Value] = [:]
        var failures: [RuleFailure] = []
        var seconds: Int?
        switch response.outcome {
        case .throttled(let retryAfter):
            seconds = retryAfter.wholeSecondsRoundedUp
            values["seconds"] = .integer(retryAfter.wholeSecondsRoundedUp)
        case .refused(let refused): failures = refused
        case .success, .mustChangePassword, .unavailable: break
        }
        self.init(response.code.exitStatus, response.code.rawValue, values)
        self.response = response
        retryAfter = seconds
        errors = FieldError.list(failures, in: form, messages)
    }
}

extension NetworkResponse.Code {
    /// How a command ends that got this answer.
    var exitStatus: ExitStatus {
        switch self {
        case .success, .codeSent: .done
        case .invalidCredentials, .noSession: .no
        case .changeRequired, .reauthenticationRequired: .notAllowed
        case .taken: .exists
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
