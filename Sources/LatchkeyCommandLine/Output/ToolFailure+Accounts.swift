import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking

extension ToolFailure {
    /// What the service, or the store at `location`, could not do.
    init(_ error: AccountError, at location: StoreLocation) {
        if case .store(let error) = error { self.init(error, at: location.path) } else { self.init(error) }
    }

    /// What the service could not do, where it was not for its store.
    init(_ error: AccountError) {
        switch error {
        case .noSuchAccount:
            self.init(.no, "no_such_account")
            return
        case .accountDisabled:
            self.init(.no, "no_use_disabled")
            return
        default: break
        }
        let response = NetworkResponse(error)
        var seconds: Int?
        if case .throttled(let retryAfter) = response.outcome { seconds = retryAfter.wholeSecondsRoundedUp }
        self.init(
            response.code.exitStatus, response.code.rawValue, seconds.map { ["seconds": .integer($0)] } ?? [:])
        self.response = response
        retryAfter = seconds
    }

    init(_ error: StoreError, at storePath: String) {
        let path: [String: RuleFailure.Value] = ["path": .text(storePath)]
        switch error {
        case .busy: self.init(.unavailable, "store_busy", path)
        case .full: self.init(.inputOutput, "store_full", path)
        case .readOnly: self.init(.inputOutput, "store_read_only", path)
        case .corrupt: self.init(.inputOutput, "store_corrupt", path)
        case .notAStore: self.init(.inputOutput, "store_not_one", path)
        case .newer: self.init(.configuration, "store_newer", path)
        case .missing: self.init(.noInput, "store_missing", path)
        case .stray(let stray):
            self.init(.inputOutput, "store_stray", ["path": .text(storePath), "other": .text(stray)])
        case .denied(let denied): self.init(.noInput, "store_denied", ["path": .text(denied)])
        case .exposed(let exposed): self.init(.notAllowed, "store_exposed", ["path": .text(exposed)])
        case .keyMissing(let key): self.init(.configuration, "store_key_missing", ["path": .text(key)])
        case .sealingKeysMissing(let ids):
            self.init(.configuration, "sealing_keys_missing", ["ids": .text(ids.joined(separator: ", "))])
        case .noSealingKey: self.init(.configuration, "no_sealing_key")
        case .networkFileSystem: self.init(.configuration, "store_network", path)
        case .outOfMemory: self.init(.system, "store_no_memory", path)
        case .settingRefused: self.init(.software, "store_setting", path)
        case .failed(let code):
            self.init(.inputOutput, "store_failed", ["path": .text(storePath), "code": .integer(Int(code))])
        }
    }

    /// What the keeper of the session could not do.
    init(_ error: SessionKeeperError) {
        switch error {
        case .exposed(let path): self.init(.notAllowed, "session_exposed", ["path": .text(path)])
        case .failed(let path): self.init(.inputOutput, "session_failed", ["path": .text(path)])
        case .homeless: self.init(.configuration, "no_runtime_folder")
        }
    }
}
