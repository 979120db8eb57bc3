package import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import LatchkeySQLite
import LatchkeySystem

extension ToolFailure {
    /// The failure for an error of the service, or of the store at `location`.
    init(_ error: AccountError, at location: StoreLocation) {
        if case .store(let error) = error { self = .store(error, path: location.path) } else { self.init(error) }
    }

    /// The failure for an error of the service other than a store failure.
    package init(_ error: AccountError) {
        switch error {
        case .noSuchAccount: self = .noSuchAccount
        case .accountDisabled: self = .noUseDisabled
        case .group(let failure): self = .group(failure)
        case .accountUnverified: self = .noUseUnverified
        default: self = .response(NetworkResponse(error), [])
        }
    }

    /// The failure for a client's error.
    init(_ error: ClientError, _ messages: MessageTable) {
        switch error {
        case .account(let error): self.init(error)
        case .refused(let response): self = .response(response, [])
        case .fault(let fault): self = .serverFailed(problem: fault.sentence(messages))
        case .form(let error): self = .formRefused(error)
        }
    }

    /// The failure for an error of a backup or restore.
    init(_ error: BackupError, backup path: String, at location: StoreLocation) {
        switch error {
        case .alreadyThere: self = .backupExists(path: path)
        case .target(let error): self = .makingBackup(path, error)
        case .unreadable(let error): self = .reading(path, error)
        case .otherThanManifest: self = .backupDiffers(path: path)
        case .store(let error): self.init(error, at: location)
        }
    }

    /// The failure to save piped input for the second pass.
    init(spooling error: FileError, at location: StoreLocation) {
        switch error {
        case .notFound: self = .storeFolderMissing(path: location.path)
        default: self.init(.store(StoreError(error, at: location.folder, orElse: .missing)), at: location)
        }
    }

    /// The failure for an unsuccessful response, with the refused fields.
    init(_ response: NetworkResponse, in form: Form, _ messages: MessageTable, operand: OperandField? = nil) {
        guard case .refused(let failures) = response.outcome else {
            self = .response(response, [])
            return
        }
        self = .response(response, FieldError.list(failures, in: form, messages, operand: operand))
    }
}
