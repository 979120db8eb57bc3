import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHashing
import LatchkeySystem

extension ToolFailure {
    /// A failure's exit status, its code, and the values of its sentence.
    struct Entry {
        let status: ExitStatus
        let code: String
        let values: [String: RuleFailure.Value]
        /// The code of the sentence. It differs from `code` if the sentence got a new code because its values changed.
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

    /// The table of failures. Codes and names of values never change.
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
        case .operandLikeFlag(let flag, let name):
            Entry(.usage, "operand_like_flag", ["flag": .text(flag), "name": .text(name)])
        case .flagNeedless(let flag, let command):
            Entry(.usage, "flag_needless", ["flag": .text(flag), "command": .text(command)])
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
        case .badValue(let name, let expected): Entry(name, mustBe: expected)
        case .flagMissing(let name): Entry(.usage, "flag_missing", ["name": .text(name)])
        case .calibrateTarget(let minimum, let maximum):
            Entry(
                .usage, "calibrate_target", ["minimum": .integer(minimum), "maximum": .integer(maximum)],
                sentence: "tool.calibrate_range")
        case .mapOnlyCsv: Entry(.usage, "map_only_csv")
        case .formatUnknown(let name, let known):
            Entry(.usage, "format_unknown", ["name": .text(name), "known": .text(known)])
        case .unknownShell(let known): Entry(.usage, "unknown_shell", ["known": .text(known)])
        case .unknownFlow(let known): Entry(.usage, "unknown_flow", ["known": .text(known)])
        case .unknownForm(let known): Entry(.usage, "unknown_form", ["known": .text(known)])
        case .unknownState(let known): Entry(.usage, "unknown_state", ["known": .text(known)])
        case .unknownEvent(let event, let known):
            Entry(.usage, "unknown_event", ["event": .text(event), "known": .text(known)])
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
        case .serverUnwanted(let name): Entry(.usage, "server_unwanted", ["name": .text(name)])
        case .serverAndStore(let server, let store):
            Entry(.usage, "server_and_store", ["server": .text(server), "store": .text(store)])
        case .serverFailed(let problem): Entry(.unavailable, "server_failed", ["problem": .text(problem)])
        case .flagsExclude(let flag, let other):
            Entry(.usage, "flags_exclude", ["flag": .text(flag), "other": .text(other)])
        case .passwordLater(let flag): Entry(.usage, "password_later", ["flag": .text(flag)])
        case .secretFromTerminal(let flag): Entry(.usage, "secret_from_terminal", ["flag": .text(flag)])
        case .secretMissing(let flag): Entry(.data, "secret_missing", ["flag": .text(flag)])
        case .inputLeftOver: Entry(.data, "input_left_over")

        // Forms, settings and other data
        case .validationFailed: Entry(.data, "validation_failed")
        case .formsRefused(let errors): Entry(.configuration, "forms_refused", ["count": .integer(errors.count)])
        case .formRefused(let error): Entry(.configuration, "form_refused", error.placeValues)
        case .tooManyFiles(let path, let maximum):
            Entry(.configuration, "forms_too_many", ["path": .text(path), "maximum": .integer(maximum)])
        case .fileForFolder(let path): Entry(.noInput, "file_for_folder", ["path": .text(path)])
        case .languageName(let path): Entry(.configuration, "language_name", ["path": .text(path)])
        case .translationsRefused(let errors):
            Entry(.configuration, "translations_refused", ["count": .integer(errors.count)])
        case .unknownSetting(let key, let similar):
            Entry(
                .usage, "unknown_setting",
                ["key": .text(key), "known": .text(Setting.quoted(similar.isEmpty ? Setting.keysInFiles : similar))],
                sentence: similar.isEmpty ? "tool.unknown_setting" : "tool.unknown_setting_suggestion")
        case .configurationRefused(let error): Entry(.configuration, "configuration_refused", error.placeValues)
        case .configurationUnwritten(let name): Entry(.inputOutput, "configuration_unwritten", ["name": .text(name)])
        case .settingsRefused: Entry(.configuration, "settings_refused")
        case .hashEngine(let name, let known):
            Entry(.configuration, "hash_engine", ["name": .text(name), "known": .text(known)])
        case .hashCost:
            Entry(
                .configuration, "hash_cost", ["minimums": .text(Self.minimumHashCosts)],
                sentence: "tool.hash_cost_minimum")
        case .hashCostHigh:
            Entry(.configuration, "hash_cost_high", Self.maximumHashCost, sentence: "tool.hash_cost_maximum")
        case .calibrateMemory: Entry(.configuration, "calibrate_memory")
        case .hashUnsupported: Entry(.data, "hash_unsupported")
        case .blocklistLine(let name, let line):
            Entry(.data, "blocklist_line", ["name": .text(name), "line": .integer(line)])

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
        case .migrationInterrupted: Entry(.unavailable, "migration_interrupted")
        case .copyInterrupted: Entry(.unavailable, "copy_interrupted")

        // Files
        case .traceExposed(let path): Entry(.notAllowed, "trace_exposed", ["path": .text(path)])
        case .traceForeign(let path): Entry(.cannotCreate, "trace_foreign", ["path": .text(path)])
        case .outputNeeded(let path): Entry(.cannotCreate, "output_needed", ["path": .text(path)])
        case .replacementUnconfirmed(let path): Entry(.cannotCreate, "replacement_unconfirmed", ["path": .text(path)])
        case .secretUnprinted: Entry(.inputOutput, "secret_unprinted")
        case .outputFailed: Entry(.inputOutput, "output_failed")
        case .noHome(let name): Entry(.configuration, "no_home", ["name": .text(name)])
        case .noRuntimeFolder: Entry(.configuration, "no_runtime_folder")

        // The store
        case .storeFolderMissing(let path): Entry(.noInput, "store_folder_missing", ["path": .text(path)])
        case .storeUnsound(let path, _): Entry(.no, "store_unsound", ["path": .text(path)])
        case .problemsFound: Entry(.no, "problems_found")
        case .unhealthy(let server, let problem):
            Entry(.unavailable, "unhealthy", ["server": .text(server), "problem": .text(problem)])
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
        case .restoreUnsealed(let count, let path):
            Entry(.configuration, "restore_unsealed", ["count": .integer(count), "path": .text(path)])
        case .pepperUnknown(let id): Entry(.no, "pepper_unknown", ["id": .text(id)])
        case .pepperCurrent(let id): Entry(.no, "pepper_current", ["id": .text(id)])
        case .pepperInUse(let id, let count): Entry(.no, "pepper_in_use", ["id": .text(id), "count": .integer(count)])
        case .pepperRefused(let count): Entry(.no, "pepper_refused", ["count": .integer(count)])
        case .auditEmpty: Entry(.no, "audit_empty")
        case .mailServerAddress(let url):
            Entry(.usage, "mail_server_address", ["json": .text(Self.mailServer(url).encoded)])
        case .mailServerRefused(let problem): Entry(.configuration, "mail_server_refused", ["problem": .text(problem)])

        // Accounts and sessions
        case .tooManyTokens(let maximum): Entry(.no, "too_many_tokens", ["maximum": .integer(maximum)])
        case .tooManyAppPasswords(let maximum): Entry(.no, "too_many_app_passwords", ["maximum": .integer(maximum)])
        case .noSuchAccount: Entry(.no, "no_such_account")
        case .noUseDisabled: Entry(.no, "no_use_disabled")
        case .noUseUnverified: Entry(.no, "no_use_unverified")
        case .noSuchForm: Entry(.no, "no_such_form")
        case .noSuchSession: Entry(.no, "no_such_session")
        case .noSuchToken: Entry(.no, "no_such_token")
        case .noFactor: Entry(.no, "no_factor")
        case .deviceUnknown: Entry(.no, "device_unknown")
        case .deviceRefused(let name, let refusal):
            Entry(.no, "device_refused", ["name": .text(name)], sentence: refusal.sentenceOfDevice)
        case .tokenRefused: Entry(.no, "token_refused")
        case .noSuchAppPassword: Entry(.no, "no_such_app_password")
        case .noSuchPasskey: Entry(.no, "no_such_passkey")
        case .passkeyInBrowser(let page): Entry(.usage, "passkey_in_browser", ["page": .text(page)])
        case .group(let failure): Entry(failure)
        case .tooManyGroupsOfToken(let maximum):
            Entry(.usage, "too_many_groups_of_token", ["maximum": .integer(maximum)])
        case .groupOfSignUp: Entry(.usage, "group_of_sign_up")
        case .changeRequired(let username): Entry(.no, "change_required", ["username": .text(username)])
        case .usernameUnsafe(let username): Entry(.no, "username_unsafe", ["username": .text(username)])
        case .addressUnverified(let username): Entry(.no, "address_unverified", ["username": .text(username)])
        case .sessionLives: Entry(.inputOutput, "session_lives")
        case .cancelled: Entry(.no, "cancelled")
        case .otherNameTyped(let username):
            Entry(.no, "cancelled", ["username": .text(username)], sentence: "tool.other_name_typed")
        case .otherCountTyped(let count):
            Entry(.no, "cancelled", ["count": .integer(count)], sentence: "tool.other_count_typed")

        // The service
        case .originNeeded: Entry(.configuration, "origin_needed")
        case .originInsecure(let origin): Entry(.configuration, "origin_insecure", ["origin": .text(origin)])
        case .proxyNeeded: Entry(.configuration, "proxy_needed")
        case .themeEmpty(let path, let known):
            Entry(.noInput, "theme_empty", ["path": .text(path), "known": .text(known)])
        case .listenFailed(let name, let reason):
            Entry(.unavailable, "listen_failed", ["name": .text(name)], sentence: reason.rawValue)
        case .alreadyServing(let path): Entry(.unavailable, "already_serving", ["path": .text(path)])
        case .clockDiffers(let seconds): Entry(.unavailable, "clock_differs", ["seconds": .text(seconds)])
        case .serviceMissing: Entry(.unavailable, "service_missing")
        case .databaseUnusable(let path): Entry(.configuration, "database_unusable", ["path": .text(path)])
        case .databaseHasBackups(let path, let folder):
            Entry(.usage, "database_has_backups", ["path": .text(path), "folder": .text(folder)])

        // The process
        case .noMemory: Entry(.system, "no_memory")
        case .noThreads: Entry(.system, "no_threads")
        case .cannotExecute(let name): Entry(.cannotExecute, "cannot_execute", ["name": .text(name)])
        case .programNotFound(let name): Entry(.programNotFound, "program_not_found", ["name": .text(name)])
        case .application(let failure): failure.entry
        case .internal: Entry(.software, "internal")

        // Errors of other modules
        case .reading(let name, let error): Entry(reading: name, error)
        case .making(let path, let error): Entry(making: path, error)
        case .store(let error, let path): Entry(error, at: path)
        case .makingBackup(let path, let error): Entry(makingBackup: path, error)
        case .auditUnsound(let finding): Entry(finding)
        case .mailer(let error): Entry(error)
        case .mailUndelivered(let messages, _): Entry(.unavailable, "mail_undelivered", messages.values)
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

extension ToolFailure.Entry {
    fileprivate init(_ failure: GroupFailure) {
        switch failure {
        case .missing(let name): self.init(.no, "no_such_group", ["name": .text(name.text)])
        case .nameTaken(let name): self.init(.exists, "group_exists", ["name": .text(name.text)])
        case .tooMany: self.init(.no, "too_many_groups", ["maximum": .integer(Group.maximumCount)])
        case .tooManyOfAccount:
            self.init(.no, "too_many_groups_of_account", ["maximum": .integer(Group.maximumPerAccount)])
        case .inUse(let uses):
            self.init(.no, "group_in_use", ["uses": .text(uses.map(\.text).joined(separator: ", "))])
        case .adminNeeded: self.init(.notAllowed, "group_admin_needed")
        case .lastAdministrator(let name): self.init(.no, "last_administrator", ["name": .text(name.text)])
        }
    }
}

extension ToolFailure {
    /// The value of the setting `mailer` for a mail server.
    private static func mailServer(_ url: String) -> JSONValue {
        .object([("smtp", .object([("url", .string(url)), ("from", .string("accounts@example.org"))]))])
    }

    /// The minimum pairs of KiB and passes, such as "19456 × 2".
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

extension AccessRefusal {
    /// The code of the sentence for a refused device.
    fileprivate var sentenceOfDevice: String {
        switch self {
        case .notInGroup: "tool.device_refused_group"
        case .levelTooLow: "tool.device_refused_level"
        case .clientDisabled, .accountDisabled, .accountUnverified, .passwordChangeNeeded, .grantNotAllowed,
            .sessionEnded:
            "tool.device_refused"
        }
    }
}
