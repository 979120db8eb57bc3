package import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import LatchkeySQLite
import LatchkeySystem

extension ToolFailure {
    /// What the service, or the store at `location`, could not do.
    init(_ error: AccountError, at location: StoreLocation) {
        if case .store(let error) = error { self = .store(error, path: location.path) } else { self.init(error) }
    }

    /// What the service could not do, for a reason other than its store.
    package init(_ error: AccountError) {
        switch error {
        case .noSuchAccount: self = .noSuchAccount
        case .accountDisabled: self = .noUseDisabled
        case .accountUnverified: self = .noUseUnverified
        default: self = .response(NetworkResponse(error), [])
        }
    }

    /// What a client could not do.
    init(_ error: ClientError, _ messages: MessageTable) {
        switch error {
        case .account(let error): self.init(error)
        case .refused(let response): self = .response(response, [])
        case .fault(let fault): self = .serverFailed(problem: fault.sentence(messages))
        case .form(let error): self = .formRefused(error)
        }
    }

    /// Why no backup was made, or nothing was restored.
    init(_ error: BackupError, backup path: String, at location: StoreLocation) {
        switch error {
        case .alreadyThere: self = .backupExists(path: path)
        case .target(let error): self = .makingBackup(path, error)
        case .unreadable(let error): self = .reading(path, error)
        case .otherThanManifest: self = .backupDiffers(path: path)
        case .store(let error): self.init(error, at: location)
        }
    }

    /// What came through a pipe and cannot be stored until it has been read twice.
    init(spooling error: FileError, at location: StoreLocation) {
        switch error {
        case .notFound: self = .storeFolderMissing(path: location.path)
        default: self.init(.store(StoreError(error, at: location.folder, orElse: .missing)), at: location)
        }
    }

    /// An answer that is not a success, with the fields that it refuses.
    init(_ response: NetworkResponse, in form: Form, _ messages: MessageTable, operand: OperandField? = nil) {
        guard case .refused(let failures) = response.outcome else {
            self = .response(response, [])
            return
        }
        self = .response(response, FieldError.list(failures, in: form, messages, operand: operand))
    }
}

extension NetworkResponse.Code {
    /// How a command ends that got this answer.
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
