import Glibc
import LatchkeyAccounts
import LatchkeyForms
import LatchkeyNetworking
import LatchkeySystem

/// Failures of other modules.
extension ToolFailure.Entry {
    /// Another user owns the file or folder, so root refuses to use it.
    private init(_ path: String, ownedBy owner: UInt32) {
        let name = SystemUser.name(of: owner)
        // runuser only accepts names.
        let command = name.map { "runuser -u \($0) --" } ?? "setpriv --reuid=\(owner) --clear-groups"
        self.init(
            .notAllowed, "other_owner",
            ["path": .text(path), "owner": .text(name ?? String(owner)), "command": .text(command)])
    }

    /// The input cannot be read.
    init(reading name: String, _ error: FileError) {
        let name: [String: RuleFailure.Value] = ["name": .text(name)]
        switch error {
        case .exposed, .openFolder: self.init(.notAllowed, "input_exposed", name)
        case .otherOwner(let path, let owner): self.init(path, ownedBy: owner)
        case .outOfMemory: self.init(.system, "no_memory")
        case .notFound: self.init(.noInput, "input_missing", name)
        case .system(EACCES), .system(EPERM): self.init(.noInput, "input_denied", name)
        case .notRegular, .symlink, .tooLarge, .alreadyThere, .busy, .silent, .full, .readOnly, .system:
            self.init(.noInput, "input_unreadable", name)
        }
    }

    /// The output file cannot be created.
    init(making path: String, _ error: FileError) {
        let path: [String: RuleFailure.Value] = ["path": .text(path)]
        switch error {
        case .exposed, .openFolder: self.init(.notAllowed, "output_exposed", path)
        case .otherOwner(let path, let owner): self.init(path, ownedBy: owner)
        case .full: self.init(.inputOutput, "output_full", path)
        case .alreadyThere: self.init(.cannotCreate, "output_exists", path)
        case .notFound, .notRegular, .symlink, .readOnly, .system(EPERM), .system(EACCES), .system(EINVAL):
            self.init(.cannotCreate, "output_folder", path)
        case .tooLarge, .busy, .silent, .outOfMemory, .system: self.init(.inputOutput, "output_unwritten", path)
        }
    }

    /// The backup file cannot be created.
    init(makingBackup path: String, _ error: StoreError) {
        let path: [String: RuleFailure.Value] = ["path": .text(path)]
        switch error {
        case .missing, .denied: self.init(.cannotCreate, "backup_folder", path)
        case .exposed, .openFolder: self.init(.notAllowed, "backup_exposed", path)
        case .otherOwner(let path, let owner): self.init(path, ownedBy: owner)
        case .full: self.init(.inputOutput, "backup_full", path)
        default: self.init(.inputOutput, "backup_failed", path)
        }
    }

    init(_ error: StoreError, at storePath: String) {
        let path: [String: RuleFailure.Value] = ["path": .text(storePath)]
        switch error {
        case .busy: self.init(.unavailable, "store_busy", path)
        case .full: self.init(.inputOutput, "store_full", path)
        case .readOnly: self.init(.inputOutput, "store_read_only", path)
        case .corrupt: self.init(.inputOutput, "store_corrupt", path)
        case .notAStore: self.init(.inputOutput, "store_not_one", path)
        case .older: self.init(.configuration, "store_older", path)
        case .tooOld: self.init(.configuration, "store_too_old", path)
        case .newer: self.init(.configuration, "store_newer", path)
        case .missing: self.init(.noInput, "store_missing", path)
        case .stray(let other):
            self.init(.inputOutput, "store_stray", ["path": .text(storePath), "other": .text(other)])
        case .superJournal(let path): self.init(.notAllowed, "store_super_journal", ["path": .text(path)])
        case .denied(let path): self.init(.noInput, "store_denied", ["path": .text(path)])
        case .exposed(let path): self.init(.notAllowed, "store_exposed", ["path": .text(path)])
        case .openFolder(let path): self.init(.notAllowed, "store_folder_open", ["path": .text(path)])
        case .otherOwner(let path, let owner): self.init(path, ownedBy: owner)
        case .keyMissing(let path): self.init(.configuration, "store_key_missing", ["path": .text(path)])
        case .keyForeign(let path):
            self.init(.configuration, "store_key_foreign", ["path": .text(path), "store": .text(storePath)])
        case .unreachable(let reason):
            self.init(.unavailable, "store_unreachable", ["path": .text(storePath), "reason": .text(reason)])
        case .encoding: self.init(.configuration, "store_encoding", path)
        case .refused(let state):
            self.init(.inputOutput, "store_refused", ["path": .text(storePath), "state": .text(state)])
        case .incomplete: self.init(.configuration, "store_incomplete", path)
        case .outcomeUnknown: self.init(.unavailable, "store_outcome_unknown", path)
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

    init(_ error: SessionStoreError) {
        switch error {
        case .exposed(let path): self.init(.notAllowed, "session_exposed", ["path": .text(path)])
        case .failed(let path): self.init(.inputOutput, "session_failed", ["path": .text(path)])
        case .homeless: self.init(.configuration, "no_runtime_folder")
        }
    }

    init(_ error: MailerError) {
        switch error {
        case .system(let code): self.init(.inputOutput, "mailer_failed", ["code": .integer(Int(code))])
        case .folder(let error, let path): self.init(error, at: path)
        case .missing(let program): self.init(.unavailable, "mailer_missing", ["program": .text(program)])
        case .exited(let status): self.init(.unavailable, "mailer_exited", ["status": .integer(Int(status))])
        case .killed(let signal): self.init(.unavailable, "mailer_killed", ["signal": .integer(Int(signal))])
        case .timedOut: self.init(.unavailable, "mailer_slow")
        case .server(let failure): self.init(failure)
        }
    }

    init(_ failure: MailServerFailure) {
        let reply: [String: RuleFailure.Value] = ["reply": .text(failure.reply ?? "–")]
        switch failure.reason {
        case .unreachable: self.init(.unavailable, "mail_unreachable")
        case .timedOut: self.init(.unavailable, "mail_slow")
        case .certificate: self.init(.unavailable, "mail_certificate")
        case .unencrypted: self.init(.unavailable, "mail_unencrypted")
        case .login: self.init(.unavailable, "mail_login", reply)
        case .refusedForNow: self.init(.unavailable, "mail_deferred", reply)
        case .sender: self.init(.unavailable, "mail_sender", reply)
        case .refused: self.init(.unavailable, "mail_refused", reply)
        case .address: self.init(.unavailable, "mail_address")
        case .international: self.init(.unavailable, "mail_international")
        case .failed: self.init(.unavailable, "mail_failed", reply)
        }
    }

    init(_ finding: AuditVerification.Finding) {
        var values: [String: RuleFailure.Value] = [:]
        if let sequence = finding.sequence { values["sequence"] = .integer(Int(sequence)) }
        if case .laneBroken(let lane) = finding { values["lane"] = .integer(Int(lane)) }
        switch finding {
        case .intact: self.init(.software, "internal")
        case .broken: self.init(.no, "audit_broken", values)
        case .anchorDiffers: self.init(.no, "audit_anchor_differs", values)
        case .anchorAfterEnd: self.init(.no, "audit_anchor_after_end", values)
        case .anchorBeforeStart: self.init(.no, "audit_anchor_before_start", values)
        case .anchorUnknown: self.init(.no, "audit_anchor_unknown", values)
        case .endsEarlier: self.init(.no, "audit_ends_earlier", values)
        case .endDiffers: self.init(.no, "audit_end_differs", values)
        case .endWasChanged: self.init(.no, "audit_end_was_changed", values)
        case .laneBroken: self.init(.no, "audit_lane_broken", values)
        }
    }
}

extension FormDescriptionError {
    /// The file, line and column, as values of a sentence.
    var placeValues: [String: RuleFailure.Value] {
        ["file": .text(file), "line": .integer(place.line), "column": .integer(place.column)]
    }
}

extension UndeliveredMessages {
    /// The values of a sentence, with the full time.
    var values: [String: RuleFailure.Value] {
        ["count": .integer(count), "since": .text(since.rfc3339), "reason": .text(reason)]
    }

    /// The values of a sentence for people.
    func values(_ context: CommandContext) -> [String: RuleFailure.Value] {
        values.merging(["since": .text(context.shown(since))]) { $1 }
    }
}
