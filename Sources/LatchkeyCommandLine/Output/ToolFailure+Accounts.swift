import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking

extension ToolFailure {
    /// What the service, or the store at `location`, could not do.
    init(_ error: AccountError, at location: StoreLocation) {
        switch error {
        case .store(let error): self.init(error, at: location)
        case .noSuchAccount: self.init(.no, "no_such_account")
        case .noSession: self.init(.no, "no_session")
        case .mustChangePassword: self.init(.notAllowed, "change_required")
        case .outOfMemory: self.init(.system, "no_memory")
        case .noRandomness: self.init(.system, "no_randomness")
        case .wrongCredentials, .throttled, .refused, .taken, .overloaded:
            let response = NetworkResponse(error)
            self.init(response.code.exitStatus, response.code.rawValue)
            self.response = response
        }
    }

    private init(_ error: StoreError, at location: StoreLocation) {
        let path: [String: RuleFailure.Value] = ["path": .text(location.path)]
        switch error {
        case .busy: self.init(.unavailable, "store_busy", path)
        case .full: self.init(.inputOutput, "store_full", path)
        case .readOnly: self.init(.inputOutput, "store_read_only", path)
        case .corrupt: self.init(.inputOutput, "store_corrupt", path)
        case .notAStore: self.init(.inputOutput, "store_not_one", path)
        case .newer: self.init(.configuration, "store_newer", path)
        case .missing: self.init(.noInput, "store_missing", path)
        case .exposed(let exposed): self.init(.notAllowed, "store_exposed", ["path": .text(exposed)])
        case .keyMissing(let key): self.init(.configuration, "store_key_missing", ["path": .text(key)])
        case .networkFileSystem: self.init(.configuration, "store_network", path)
        case .failed(let code):
            self.init(
                .inputOutput, "store_failed", ["path": .text(location.path), "code": .integer(Int(code))])
        }
    }

    /// What the keeper of the session could not do.
    init(_ error: SessionKeeperError) {
        switch error {
        case .exposed(let path): self.init(.notAllowed, "session_exposed", ["path": .text(path)])
        case .failed(let path): self.init(.inputOutput, "session_failed", ["path": .text(path)])
        }
    }
}
