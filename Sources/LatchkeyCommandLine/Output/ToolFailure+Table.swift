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
    }

    /// The table of failures. Codes never change.
    var entry: Entry {
        switch self {
        // Usage
        case .unknownCommand(let command): Entry(.usage, "unknown_command", ["command": .text(command)])
        case .unknownCommandSuggestion(let command, let nearest):
            Entry(.usage, "unknown_command_suggestion", ["command": .text(command), "nearest": .text(nearest)])
        case .commandMissing(let group, let known):
            Entry(.usage, "command_missing", ["group": .text(group), "known": .text(known)])
        case .unknownFlag(let flag): Entry(.usage, "unknown_flag", ["flag": .text(flag)])
        case .unknownFlagSuggestion(let flag, let nearest):
            Entry(.usage, "unknown_flag_suggestion", ["flag": .text(flag), "nearest": .text(nearest)])
        case .flagTwice(let flag): Entry(.usage, "flag_twice", ["flag": .text(flag)])
        case .flagTakesNone(let flag): Entry(.usage, "flag_takes_none", ["flag": .text(flag)])
        case .flagNeedsValue(let flag): Entry(.usage, "flag_needs_value", ["flag": .text(flag)])
        case .noArguments: Entry(.system, "no_arguments")
        case .operandMissing(let name): Entry(.usage, "operand_missing", ["name": .text(name)])
        case .operandFirst(let name): Entry(.usage, "operand_first", ["name": .text(name)])
        case .operandTooMany(let command): Entry(.usage, "operand_too_many", ["command": .text(command)])
        case .programBehindDashes: Entry(.usage, "program_behind_dashes")
        case .argumentTooLong(let maximum): Entry(.usage, "argument_too_long", ["maximum": .integer(maximum)])
        case .checkpasswordInput(let maximum): Entry(.usage, "checkpassword_input", ["maximum": .integer(maximum)])
        case .badPath(let name): Entry(.usage, "bad_path", ["name": .text(name)])
        case .badNumber(let name): Entry(.usage, "bad_number", ["name": .text(name)])
        case .badTime(let name): Entry(.usage, "bad_time", ["name": .text(name)])
        case .badText(let name, let maximum):
            Entry(
                .usage, "bad_text", ["name": .text(name), "maximum": .integer(maximum)], sentence: "tool.text_limit")
        case .badSource: Entry(.usage, "bad_source")
        case .badSpeed: Entry(.usage, "bad_speed")
        case .calibrateTarget(let range):
            Entry(
                .usage, "calibrate_target",
                ["minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)],
                sentence: "tool.calibrate_range")
        case .badPolicy(let name, let known):
            Entry(.usage, "bad_policy", ["name": .text(name), "known": .text(known)])
        case .badLanguage(let name, let known):
            Entry(.usage, "bad_language", ["name": .text(name), "known": .text(known)])
        case .badChoice(let name, let known):
            Entry(.usage, "bad_choice", ["name": .text(name), "known": .text(known)])
        case .badFormat(let known): Entry(.usage, "bad_format", ["known": .text(known)])
        case .formatUnknown(let name, let known):
            Entry(.usage, "format_unknown", ["name": .text(name), "known": .text(known)])
        case .unknownShell(let known): Entry(.usage, "unknown_shell", ["known": .text(known)])
        case .unknownFlow(let known): Entry(.usage, "unknown_flow", ["known": .text(known)])
        case .unknownForm(let known): Entry(.usage, "unknown_form", ["known": .text(known)])
        case .unknownState(let known): Entry(.usage, "unknown_state", ["known": .text(known)])
        case .unknownEvent(let event): Entry(.usage, "unknown_event", ["event": .text(event)])
        case .unknownEventSuggestion(let event, let nearest):
            Entry(.usage, "unknown_event_suggestion", ["event": .text(event), "nearest": .text(nearest)])
        case .flagsMissing: Entry(.usage, "flags_missing")
        case .jsonlMissing: Entry(.usage, "jsonl_missing")
        case .batchMissing: Entry(.usage, "batch_missing")
        case .batchAlone(let flag): Entry(.usage, "batch_alone", ["flag": .text(flag)])
        case .noText(let flag): Entry(.usage, "no_text", ["flag": .text(flag)])
        case .updateNothing: Entry(.usage, "update_nothing")
        case .nothingToChange: Entry(.usage, "nothing_to_change")
        case .noTerminal: Entry(.usage, "no_terminal")
        case .yesNeeded: Entry(.usage, "yes_needed")
        case .auditMineAlone: Entry(.usage, "audit_mine_alone")
        case .sessionsChoice: Entry(.usage, "sessions_choice")
        case .othersOfAccount: Entry(.usage, "others_of_account")
        case .recordWithoutTerminal: Entry(.usage, "record_without_terminal")
        case .speedAndStep: Entry(.usage, "speed_and_step")
        case .replayNarrow(let columns): Entry(.usage, "replay_narrow", ["columns": .integer(columns)])

        // Secrets
        case .secretArgument(let given, let flag):
            Entry(.usage, "secret_argument", ["given": .text(given), "flag": .text(flag)])
        case .hashArgument(let given): Entry(.usage, "hash_argument", ["given": .text(given)])
        case .secretEnvironment(let name, let flag):
            Entry(.usage, "secret_environment", ["name": .text(name), "flag": .text(flag)])
        case .hashEnvironment(let name): Entry(.usage, "hash_environment", ["name": .text(name)])
        case .secretUnwanted(let flag, let other):
            Entry(.usage, "secret_unwanted", ["flag": .text(flag), "other": .text(other)])
        case .secretTwice(let flag): Entry(.usage, "secret_twice", ["flag": .text(flag)])
        case .passwordLater(let flag): Entry(.usage, "password_later", ["flag": .text(flag)])
        case .secretFromTerminal(let flag): Entry(.usage, "secret_from_terminal", ["flag": .text(flag)])
        case .secretMissing(let flag): Entry(.data, "secret_missing", ["flag": .text(flag)])
        case .inputLeftOver: Entry(.data, "input_left_over")

        // Forms, settings and other data
        case .validationFailed: Entry(.data, "validation_failed")
        case .formsRefused(let errors): Entry(.configuration, "forms_refused", ["count": .integer(errors.count)])
        case .formRefused(let error): Entry(.configuration, "form_refused", error.placeValues)
        case .formsTooMany(let path, let maximum):
            Entry(.configuration, "forms_too_many", ["path": .text(path), "maximum": .integer(maximum)])
        case .configurationRefused(let error): Entry(.configuration, "configuration_refused", error.placeValues)
        case .configurationUnwritten(let name): Entry(.inputOutput, "configuration_unwritten", ["name": .text(name)])
        case .settingsRefused: Entry(.configuration, "settings_refused")
        case .hashCost:
            Entry(
                .configuration, "hash_cost", ["minimums": .text(Self.minimumHashCosts)],
                sentence: "tool.hash_cost_minimum")
        case .hashCostHigh:
            Entry(
                .configuration, "hash_cost_high", Self.maximumHashCost, sentence: "tool.hash_cost_maximum")
        case .calibrateMemory: Entry(.configuration, "calibrate_memory")
        case .hashUnsupported: Entry(.data, "hash_unsupported")
        case .blocklistLine(let name, let line):
            Entry(.data, "blocklist_line", ["name": .text(name), "line": .integer(line)])
        case .badAddress: Entry(.data, "bad_address")
        case .badAnchor(let name): Entry(.data, "bad_anchor", ["name": .text(name)])
        case .recordingBad(let name, let line, let reason, _):
            Entry(.data, "recording_bad", ["name": .text(name), "line": .integer(line), "reason": .text(reason)])
        case .replayDiffers(let name, let line, let version, _, _):
            Entry(.no, "replay_differs", ["name": .text(name), "line": .integer(line), "version": .text(version)])

        // Many accounts
        case .importRefused(let counts, _): Entry(.data, "import_refused", counts.values)
        case .importRefusedDry(let counts, _): Entry(.data, "import_refused_dry", counts.values)
        case .importRefusedSome(let counts, _): Entry(.data, "import_refused_some", counts.values)
        case .importOvertaken(let counts): Entry(.exists, "import_overtaken", counts.values)
        case .importChanged(let name): Entry(.data, "import_changed", ["name": .text(name)])
        case .applyRefused(let refused, _): Entry(.data, "apply_refused", ["refused": .integer(refused)])
        case .applyTooLarge(let name, let maximum):
            Entry(.data, "apply_too_large", ["name": .text(name), "maximum": .integer(maximum)])
        case .exportExposed: Entry(.notAllowed, "export_exposed")
        case .importInterrupted(let counts, _): Entry(.unavailable, "import_interrupted", counts.values)
        case .importInterruptedEarly: Entry(.unavailable, "import_interrupted_early")
        case .applyInterrupted(let done, let total, _):
            Entry(.unavailable, "apply_interrupted", ["done": .integer(done), "total": .integer(total)])
        case .applyInterruptedEarly: Entry(.unavailable, "apply_interrupted_early")
        case .exportInterrupted: Entry(.unavailable, "export_interrupted")
        case .stopped(_, let failure): failure.entry

        // Files
        case .reading(let name, let error): Entry(reading: name, error)
        case .making(let path, let error): Entry(making: path, error)
        case .traceExposed(let path): Entry(.notAllowed, "trace_exposed", ["path": .text(path)])
        case .traceForeign(let path): Entry(.cannotCreate, "trace_foreign", ["path": .text(path)])
        case .outputNeeded(let path): Entry(.cannotCreate, "output_needed", ["path": .text(path)])
        case .outputFailed: Entry(.inputOutput, "output_failed")
        case .noHome(let name): Entry(.configuration, "no_home", ["name": .text(name)])
        case .noRuntimeFolder: Entry(.configuration, "no_runtime_folder")

        // The store
        case .store(let error, let path): Entry(error, at: path)
        case .storeFolderMissing(let path): Entry(.noInput, "store_folder_missing", ["path": .text(path)])
        case .storeUnsound(let path, _): Entry(.no, "store_unsound", ["path": .text(path)])
        case .makingBackup(let path, let error): Entry(makingBackup: path, error)
        case .backupExists(let path): Entry(.cannotCreate, "backup_exists", ["path": .text(path)])
        case .backupDiffers(let path):
            Entry(
                .inputOutput, "backup_differs",
                ["path": .text(path), "manifest": .text(path + BackupManifest.suffix)])
        case .backupInUse(let path, let other):
            Entry(.data, "backup_in_use", ["path": .text(path), "other": .text(other)])
        case .backupDamaged(let path): Entry(.inputOutput, "backup_damaged", ["path": .text(path)])
        case .backupNotOne(let path): Entry(.inputOutput, "backup_not_one", ["path": .text(path)])
        case .backupNewer(let path): Entry(.configuration, "backup_newer", ["path": .text(path)])
        case .restoreExists(let path): Entry(.cannotCreate, "restore_exists", ["path": .text(path)])
        case .pepperUnknown(let id): Entry(.no, "pepper_unknown", ["id": .text(id)])
        case .pepperCurrent(let id): Entry(.no, "pepper_current", ["id": .text(id)])
        case .pepperInUse(let id, let count):
            Entry(.no, "pepper_in_use", ["id": .text(id), "count": .integer(count)])
        case .pepperRefused(let count): Entry(.no, "pepper_refused", ["count": .integer(count)])
        case .auditEmpty: Entry(.no, "audit_empty")
        case .auditUnsound(let finding): Entry(finding)
        case .mailer(let error): Entry(error)

        // Accounts and sessions
        case .response(let response, _):
            Entry(
                response.code.exitStatus, response.code.rawValue,
                response.secondsToWait.map { ["seconds": .integer($0)] } ?? [:])
        case .noSuchAccount: Entry(.no, "no_such_account")
        case .noUseDisabled: Entry(.no, "no_use_disabled")
        case .noSuchForm: Entry(.no, "no_such_form")
        case .noSuchSession: Entry(.no, "no_such_session")
        case .tokenRefused: Entry(.no, "token_refused")
        case .changeRequired(let username): Entry(.no, "change_required", ["username": .text(username)])
        case .sessionStore(let error): Entry(error)
        case .sessionLives: Entry(.inputOutput, "session_lives")
        case .cancelled: Entry(.no, "cancelled")

        // The process
        case .noMemory: Entry(.system, "no_memory")
        case .noThreads: Entry(.system, "no_threads")
        case .refusedStart(.setuid): Entry(.notAllowed, "unsafe_start")
        case .refusedStart(.noDescriptors): Entry(.system, "no_descriptors")
        case .cannotExecute(let name): Entry(.cannotExecute, "cannot_execute", ["name": .text(name)])
        case .programNotFound(let name): Entry(.programNotFound, "program_not_found", ["name": .text(name)])
        case .internal: Entry(.software, "internal")
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
    /// An input that cannot be read.
    fileprivate init(reading name: String, _ error: FileError) {
        let name: [String: RuleFailure.Value] = ["name": .text(name)]
        switch error {
        case .exposed: self.init(.notAllowed, "input_exposed", name)
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
        case .exposed: self.init(.notAllowed, "output_exposed", path)
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
        case .exposed: self.init(.notAllowed, "backup_exposed", path)
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
        case .newer: self.init(.configuration, "store_newer", path)
        case .missing: self.init(.noInput, "store_missing", path)
        case .stray(let other):
            self.init(.inputOutput, "store_stray", ["path": .text(storePath), "other": .text(other)])
        case .denied(let path): self.init(.noInput, "store_denied", ["path": .text(path)])
        case .exposed(let path): self.init(.notAllowed, "store_exposed", ["path": .text(path)])
        case .keyMissing(let path): self.init(.configuration, "store_key_missing", ["path": .text(path)])
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
        }
    }
}

extension AuditVerification.Finding {
    /// The number of the record that it is about.
    var sequence: Int64? {
        switch self {
        case .intact, .anchorUnknown: nil
        case .broken(let sequence), .anchorDiffers(let sequence), .anchorAfterEnd(let sequence),
            .anchorBeforeStart(let sequence):
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
