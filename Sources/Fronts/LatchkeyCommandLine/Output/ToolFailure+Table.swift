import Glibc
import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHashing
import LatchkeyNetworking
import LatchkeySystem

extension ToolFailure {
    /// A failure's exit status, its code, and the values of its sentence.
    struct Entry {
        let status: ExitStatus
        let code: String
        let values: [String: RuleFailure.Value]
        /// The code of the sentence. It differs from `code` if the sentence has changed its values and so got a new code.
        let sentence: String

        init(
            _ status: ExitStatus, _ code: String, _ values: [String: RuleFailure.Value] = [:], sentence: String? = nil
        ) {
            self.status = status
            self.code = code
            self.values = values
            self.sentence = sentence ?? "tool." + code
        }

        /// Reads the code and the values from the case: `badPath(name: "x")` is `bad_path` with the value `name`.
        init(_ status: ExitStatus, _ failure: ToolFailure, code: String? = nil, sentence: String? = nil) {
            let payload = Mirror(reflecting: failure).children.first
            let name = (payload?.label ?? "\(failure)").map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }
            var values: [String: RuleFailure.Value] = [:]
            func add(_ value: Any, _ label: String?) {
                switch (value, label) {
                case (let counts as RowCounts, _): values = counts.values
                case (let text as String, let label?): values[label] = .text(text)
                case (let number as Int, let label?): values[label] = .integer(number)
                default: break
                }
            }
            if let payload {
                add(payload.value, nil)
                if values.isEmpty {
                    for (label, value) in Mirror(reflecting: payload.value).children { add(value, label) }
                }
            }
            self.init(status, code ?? name.joined(), values, sentence: sentence)
        }
    }

    /// The table of failures. Codes never change, so neither do the names of cases and of their values.
    var entry: Entry {
        switch self {
        case .unknownCommand, .unknownCommandSuggestion, .commandMissing, .unknownFlag, .unknownFlagSuggestion,
            .flagTwice, .flagTakesNone, .flagNeedsValue, .operandMissing, .operandFirst, .operandTooMany,
            .programBehindDashes, .argumentTooLong, .checkpasswordInput, .mapOnlyCsv, .formatUnknown,
            .unknownShell, .unknownFlow, .unknownForm, .unknownState, .unknownEvent, .unknownEventSuggestion, .flagsMissing, .jsonlMissing,
            .batchMissing, .batchAlone, .noText, .updateNothing, .nothingToChange, .noTerminal, .yesNeeded,
            .auditMineAlone, .sessionsChoice, .othersOfAccount,
            .flagMissing, .databaseHasBackups, .secretArgument, .hashArgument, .secretEnvironment, .hashEnvironment,
            .secretUnwanted, .secretTwice, .flagsExclude, .serverUnwanted, .serverAndStore, .passwordLater, .secretFromTerminal:
            Entry(.usage, self)
        case .badValue(let name, let expected): Entry(name, mustBe: expected)
        case .calibrateTarget: Entry(.usage, self, sentence: "tool.calibrate_range")

        case .secretMissing, .inputLeftOver, .validationFailed, .hashUnsupported, .blocklistLine, .importRefused, .importRefusedDry, .importRefusedSome, .importChanged, .applyRefused,
            .applyTooLarge,
            .backupInUse:
            Entry(.data, self)

        case .originNeeded, .proxyNeeded, .formsTooMany, .settingsRefused, .calibrateMemory, .noHome, .noRuntimeFolder,
            .backupNewer, .mailServerRefused, .databaseUnusable:
            Entry(.configuration, self)
        case .formsRefused(let errors): Entry(.configuration, "forms_refused", ["count": .integer(errors.count)])
        case .formRefused(let error): Entry(.configuration, "form_refused", error.placeValues)
        case .configurationRefused(let error): Entry(.configuration, "configuration_refused", error.placeValues)
        case .hashCost:
            Entry(
                .configuration, "hash_cost", ["minimums": .text(Self.minimumHashCosts)],
                sentence: "tool.hash_cost_minimum")
        case .hashEngine(let name, let known):
            Entry(.configuration, "hash_engine", ["name": .text(name), "known": .text(known)])
        case .hashCostHigh:
            Entry(.configuration, "hash_cost_high", Self.maximumHashCost, sentence: "tool.hash_cost_maximum")

        case .configurationUnwritten, .outputFailed, .backupDamaged, .backupNotOne, .sessionLives:
            Entry(.inputOutput, self)
        case .backupDiffers(let path):
            Entry(
                .inputOutput, "backup_differs",
                ["path": .text(path), "manifest": .text(path + BackupManifest.suffix)])

        case .storeUnsound, .pepperUnknown, .pepperCurrent, .pepperInUse, .pepperRefused, .auditEmpty,
            .noSuchAccount, .noUseDisabled, .noUseUnverified, .noSuchForm, .noSuchSession, .noSuchToken, .tooManyTokens,
            .tokenRefused, .noFactor, .noSuchAppPassword, .noSuchPasskey, .tooManyAppPasswords,
            .changeRequired, .usernameUnsafe, .addressUnverified, .cancelled:
            Entry(.no, self)
        case .otherNameTyped: Entry(.no, self, code: "cancelled", sentence: "tool.other_name_typed")
        case .otherCountTyped: Entry(.no, self, code: "cancelled", sentence: "tool.other_count_typed")
        case .importOvertaken: Entry(.exists, self)
        case .exportExposed, .traceExposed: Entry(.notAllowed, self)
        case .importInterrupted, .applyInterrupted, .applyInterruptedEarly, .exportInterrupted,
            .migrationInterrupted, .copyInterrupted, .listenFailed, .alreadyServing, .serviceMissing, .serverFailed:
            Entry(.unavailable, self)
        case .importInterruptedEarly: Entry(.unavailable, "import_interrupted_early")
        case .traceForeign, .outputNeeded, .backupExists, .restoreExists: Entry(.cannotCreate, self)
        case .storeFolderMissing, .themeEmpty: Entry(.noInput, self)
        case .noArguments, .noMemory, .noThreads: Entry(.system, self)
        case .cannotExecute: Entry(.cannotExecute, self)
        case .programNotFound: Entry(.programNotFound, self)
        case .internal: Entry(.software, self)

        // Errors of other modules
        case .reading(let name, let error): Entry(reading: name, error)
        case .making(let path, let error): Entry(making: path, error)
        case .store(let error, let path): Entry(error, at: path)
        case .makingBackup(let path, let error): Entry(makingBackup: path, error)
        case .auditUnsound(let finding): Entry(finding)
        case .mailer(let error): Entry(error)
        case .sessionStore(let error): Entry(error)
        case .refusedStart(.setuid): Entry(.notAllowed, "unsafe_start")
        case .refusedStart(.noDescriptors): Entry(.system, "no_descriptors")
        case .response(let response, _):
            Entry(
                response.code.exitStatus, response.code.rawValue,
                response.secondsToWait.map { ["seconds": .integer($0)] } ?? [:])
        case .stopped(_, let failure): failure.entry
        }
    }
}

extension ToolFailure {
    /// KiB and passes, such as "19456 × 2".
    private static var minimumHashCosts: String {
        Argon2Cost.floors.map { "\($0.memory) × \($0.iterations)" }.joined(separator: ", ")
    }

    private static var maximumHashCost: [String: RuleFailure.Value] {
        let caps = StoredCostCaps.standard
        return [
            "memory": .integer(Int(caps.memory)), "iterations": .integer(Int(caps.iterations)),
            "parallelism": .integer(Int(caps.parallelism)), "work": .integer(Int(caps.work)),
        ]
    }
}

extension ToolFailure.Entry {
    /// A file or folder of another user, where root does not work.
    private init(_ path: String, ownedBy owner: UInt32) {
        let name = SystemUser.name(of: owner)
        // runuser knows only names.
        let command = name.map { "runuser -u \($0) --" } ?? "setpriv --reuid=\(owner) --clear-groups"
        self.init(
            .notAllowed, "other_owner",
            ["path": .text(path), "owner": .text(name ?? String(owner)), "command": .text(command)])
    }

    /// An input that cannot be read.
    fileprivate init(reading name: String, _ error: FileError) {
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

    /// A file that cannot be made for the caller.
    fileprivate init(making path: String, _ error: FileError) {
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

    /// A backup's file that cannot be made.
    fileprivate init(makingBackup path: String, _ error: StoreError) {
        let path: [String: RuleFailure.Value] = ["path": .text(path)]
        switch error {
        case .missing, .denied: self.init(.cannotCreate, "backup_folder", path)
        case .exposed, .openFolder: self.init(.notAllowed, "backup_exposed", path)
        case .otherOwner(let path, let owner): self.init(path, ownedBy: owner)
        case .full: self.init(.inputOutput, "backup_full", path)
        default: self.init(.inputOutput, "backup_failed", path)
        }
    }

    fileprivate init(_ error: StoreError, at storePath: String) {
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

    fileprivate init(_ error: SessionStoreError) {
        switch error {
        case .exposed(let path): self.init(.notAllowed, "session_exposed", ["path": .text(path)])
        case .failed(let path): self.init(.inputOutput, "session_failed", ["path": .text(path)])
        case .homeless: self.init(.configuration, "no_runtime_folder")
        }
    }

    fileprivate init(_ error: MailerError) {
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

    fileprivate init(_ failure: MailServerFailure) {
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

    fileprivate init(_ finding: AuditVerification.Finding) {
        let values: [String: RuleFailure.Value] =
            finding.sequence.map { ["sequence": .integer(Int($0))] } ?? [:]
        switch finding {
        case .intact: self.init(.software, "internal")
        case .broken: self.init(.no, "audit_broken", values)
        case .anchorDiffers: self.init(.no, "audit_anchor_differs", values)
        case .anchorAfterEnd: self.init(.no, "audit_anchor_after_end", values)
        case .anchorBeforeStart: self.init(.no, "audit_anchor_before_start", values)
        case .anchorUnknown: self.init(.no, "audit_anchor_unknown", values)
        case .endsEarlier: self.init(.no, "audit_ends_earlier", values)
        }
    }
}

extension AuditVerification.Finding {
    /// The number of the record that it is about.
    var sequence: Int64? {
        switch self {
        case .intact, .anchorUnknown: nil
        case .broken(let sequence), .anchorDiffers(let sequence), .anchorAfterEnd(let sequence),
            .anchorBeforeStart(let sequence), .endsEarlier(let sequence):
            sequence
        }
    }
}

extension FormDescriptionError {
    /// The file, line and column, as values of a sentence.
    fileprivate var placeValues: [String: RuleFailure.Value] {
        ["file": .text(file), "line": .integer(place.line), "column": .integer(place.column)]
    }
}
