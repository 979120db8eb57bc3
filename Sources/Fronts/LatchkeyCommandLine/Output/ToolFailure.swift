package import LatchkeyAccounts
package import LatchkeyFlows
package import LatchkeyForms
package import LatchkeyNetworking
import LatchkeySQLite
package import LatchkeySystem

/// The reason why a command failed. Each case has an exit status, a stable code and the values for its sentence.
package enum ToolFailure: Error, Sendable {
    /// Why a listener could not open: the code of the sentence.
    package enum ListenFailure: String, Sendable {
        case inUse = "tool.listen_in_use"
        case fileExists = "tool.listen_file"
        case notInGroup = "tool.listen_group"
        case notPermitted = "tool.listen_denied"
        case folderMissing = "tool.listen_folder"
        case addressOfOther = "tool.listen_address"
        case other = "tool.listen_failed"
    }

    // Usage
    case unknownCommand(command: String)
    case unknownCommandSuggestion(command: String, nearest: String)
    case commandMissing(group: String, known: String)
    case unknownFlag(flag: String)
    case unknownFlagSuggestion(flag: String, nearest: String)
    /// A flag that could be an operand with a hyphen at its beginning.
    case operandLikeFlag(flag: String, name: String)
    /// A flag that confirms, of a command that asks for no confirmation.
    case flagNeedless(flag: String, command: String)
    case flagTwice(flag: String)
    case flagTakesNone(flag: String)
    case flagNeedsValue(flag: String)
    case noArguments
    case operandMissing(name: String)
    case operandFirst(name: String)
    case operandTooMany(command: String)
    case programBehindDashes
    case argumentTooLong(maximum: Int)
    case checkpasswordInput(maximum: Int)
    /// The value of a flag, an operand, a variable or a file is not as expected.
    case badValue(_ name: String, ExpectedValue)
    case flagMissing(name: String)
    /// The target is out of range, in milliseconds.
    case calibrateTarget(minimum: Int, maximum: Int)
    case mapOnlyCsv
    case formatUnknown(name: String, known: String)
    case unknownShell(known: String)
    case unknownFlow(known: String)
    case unknownForm(known: String)
    case unknownState(known: String)
    case unknownEvent(event: String, known: String)
    case unknownEventSuggestion(event: String, nearest: String)
    case flagsMissing([FieldError])
    case jsonlMissing, batchMissing
    case batchAlone(flag: String)
    case noText(flag: String)
    case updateNothing, nothingToChange, noTerminal, yesNeeded
    case auditMineAlone, sessionsChoice, othersOfAccount

    // Secrets
    case secretArgument(given: String, flag: String)
    case hashArgument(given: String)
    case secretEnvironment(name: String, flag: String)
    case hashEnvironment(name: String)
    case secretUnwanted(flag: String, other: String)
    case secretTwice(flag: String)
    /// The command needs a store, but `name` specifies a service.
    case serverUnwanted(name: String)
    case serverAndStore(server: String, store: String)
    /// A request to the service received no usable response.
    case serverFailed(problem: String)
    case flagsExclude(flag: String, other: String)
    case passwordLater(flag: String)
    case secretFromTerminal(flag: String)
    case secretMissing(flag: String)
    case inputLeftOver

    // Forms, settings and other data
    case validationFailed([FieldError])
    case formsRefused([FieldError])
    case formRefused(FormDescriptionError)
    case tooManyFiles(path: String, maximum: Int)
    /// A file is where a folder of descriptions or languages belongs.
    case fileForFolder(path: String)
    /// The name of a file in the folder of languages is not a language.
    case languageName(path: String)
    case translationsRefused([FieldError])
    case configurationRefused(FormDescriptionError)
    /// - Parameter similar: the keys that may be meant; empty for none.
    case unknownSetting(key: String, similar: [String])
    case configurationUnwritten(name: String)
    /// The setting `mailer` is the address of a mail server instead of an object with it.
    case mailServerAddress(url: String)
    /// The settings were refused. `settings` contains all of them, for `--json`.
    case settingsRefused([FieldError], settings: JSONValue)
    case hashEngine(name: String, known: String)
    case hashCost, hashCostHigh, calibrateMemory, hashUnsupported
    case blocklistLine(name: String, line: Int)

    // Many accounts
    /// The import refused rows. `errors` contains their problems, for `--json`.
    case importRefused(RowCounts, errors: JSONValue)
    case importRefusedDry(RowCounts, errors: JSONValue)
    case importRefusedSome(RowCounts, errors: JSONValue)
    case importOvertaken(RowCounts)
    case importChanged(name: String)
    case applyRefused(refused: Int, errors: JSONValue)
    case applyTooLarge(name: String, maximum: Int)
    case exportExposed
    /// A file exists, and there is no terminal to ask on.
    case replacementUnconfirmed(path: String)
    case importInterrupted(RowCounts, by: Signal)
    case importInterruptedEarly(RowCounts, by: Signal)
    case applyInterrupted(done: Int, total: Int, by: Signal)
    case applyInterruptedEarly(by: Signal)
    case exportInterrupted(by: Signal)
    case migrationInterrupted(by: Signal)
    case copyInterrupted(by: Signal)
    /// The command failed after it had completed part of the work.
    indirect case stopped(Progress, ToolFailure)

    // Files
    /// The input cannot be read.
    case reading(String, FileError)
    /// The output file cannot be created.
    case making(String, FileError)
    case traceExposed(path: String)
    case traceForeign(path: String)
    case outputNeeded(path: String)
    /// A new secret was not printed, so that it was not stored either.
    case secretUnprinted
    case outputFailed
    case noHome(name: String)
    case noRuntimeFolder

    // The store
    case store(StoreError, path: String)
    case storeFolderMissing(path: String)
    /// `store check` found problems.
    case storeUnsound(path: String, [FieldError])
    /// The problems that `doctor` found.
    case problemsFound([FieldError])
    /// The service does not answer, or is not ready.
    case unhealthy(server: String, problem: String)
    /// The backup file cannot be created.
    case makingBackup(String, StoreError)
    case backupExists(path: String)
    case backupDiffers(path: String)
    case backupInUse(path: String, other: String)
    case backupDamaged(path: String)
    case backupNotOne(path: String)
    case backupNewer(path: String)
    case restoreExists(path: String)
    /// A backup with unsealed hashes, for a store with the mark `path` of sealed ones.
    case restoreUnsealed(count: Int, path: String)
    case pepperUnknown(id: String)
    case pepperCurrent(id: String)
    case pepperInUse(id: String, count: Int)
    case pepperRefused(count: Int)
    case auditEmpty
    case auditUnsound(AuditVerification.Finding)
    case mailer(MailerError)
    /// Messages wait that could not be delivered. `work`: the members of `--json` for the work that was done.
    case mailUndelivered(UndeliveredMessages, _ work: [(key: String, value: JSONValue)])
    /// The description of a mail server is refused.
    case mailServerRefused(problem: String)

    // Accounts and sessions
    case tooManyTokens(maximum: Int)
    case tooManyAppPasswords(maximum: Int)
    /// A flow received an unsuccessful response, with the refused fields.
    case response(NetworkResponse, [FieldError])
    case deviceRefused(name: String, AccessRefusal)
    case deviceUnknown
    case noSuchAccount, noUseDisabled, noUseUnverified, noSuchForm, noSuchSession, noSuchToken, noFactor, tokenRefused
    case noSuchAppPassword, noSuchPasskey
    /// A passkey is created in a browser, on the page at this address.
    case passkeyInBrowser(page: String)
    case group(GroupFailure)
    case tooManyGroupsOfToken(maximum: Int)
    /// Only an invitation has groups.
    case groupOfSignUp
    case changeRequired(username: String)
    case usernameUnsafe(username: String)
    case addressUnverified(username: String)
    case sessionStore(SessionStoreError)
    case sessionLives
    /// The user cancelled. `isShown` is true if the terminal has already shown the sentence.
    case cancelled(isShown: Bool)
    /// The user typed the name of another account to confirm.
    case otherNameTyped(username: String)
    /// The user typed another number of accounts to confirm.
    case otherCountTyped(count: Int)

    // Applications
    case application(ApplicationFailure)

    // The service
    case originNeeded, proxyNeeded
    /// The origin is `http` on a network.
    case originInsecure(origin: String)
    /// A folder without any file of a theme.
    case themeEmpty(path: String, known: String)
    case listenFailed(name: String, ListenFailure)
    case alreadyServing(path: String)
    /// This machine's clock is so far from the database's.
    case clockDiffers(seconds: String)
    case serviceMissing
    /// The program uses Latchkey's libraries, but was built without libpq.
    case databaseUnusable(path: String)
    /// The command needs the file of an SQLite store. `folder` contains the database's keys.
    case databaseHasBackups(path: String, folder: String)

    // The process
    case noMemory, noThreads
    case refusedStart(ProcessGuard.Refusal)
    case cannotExecute(name: String)
    case programNotFound(name: String)
    case `internal`

    /// The number of a signal.
    package typealias Signal = Int32

    /// A refused field with its sentence.
    package struct FieldError: Sendable {
        let field: String
        /// The flag for the field, with its hyphens, for people; nil if there is none.
        let flag: String?
        let code: String
        let values: [String: RuleFailure.Value]
        let message: String
    }
}

extension ToolFailure {
    /// The exit status.
    var status: ExitStatus { entry.status }

    /// The stable code of the failure.
    var code: String { entry.code }

    /// The values for the sentence.
    var values: [String: RuleFailure.Value] { entry.values }

    /// The `status` in `--json`, as an HTTP status (RFC 9110, section 15).
    var httpStatus: Int {
        switch self {
        case .response(let response, _): response.status
        case .storeUnsound, .problemsFound, .auditUnsound(.broken), .auditUnsound(.anchorDiffers),
            .auditUnsound(.anchorAfterEnd), .auditUnsound(.endDiffers), .auditUnsound(.endWasChanged),
            .auditUnsound(.laneBroken):
            507
        case .group(.inUse), .group(.lastAdministrator): 409
        case .deviceRefused: 403
        case .stopped(_, let failure): failure.httpStatus
        case .application(let failure): failure.httpStatus ?? status.httpStatus
        default: status.httpStatus
        }
    }

    /// The refused fields.
    var errors: [FieldError] {
        switch self {
        case .flagsMissing(let errors), .validationFailed(let errors), .formsRefused(let errors),
            .translationsRefused(let errors), .settingsRefused(let errors, _), .storeUnsound(_, let errors),
            .problemsFound(let errors),
            .response(_, let errors):
            errors
        case .stopped(_, let failure): failure.errors
        default: []
        }
    }

    /// Throws `failure` if a signal has interrupted the command. A command that watches for signals calls this wherever
    /// it can stop in a consistent state.
    static func throwInterruption(_ failure: (Signal) -> ToolFailure) throws(ToolFailure) {
        if let signal = SignalNotice.received { throw failure(signal) }
    }

    /// The signal that interrupted the command. The process ends with this signal.
    var signal: Signal? {
        switch self {
        case .importInterrupted(_, let signal), .importInterruptedEarly(_, let signal),
            .applyInterrupted(_, _, let signal), .applyInterruptedEarly(let signal), .exportInterrupted(let signal),
            .migrationInterrupted(let signal), .copyInterrupted(let signal):
            signal
        case .stopped(_, let failure): failure.signal
        default: nil
        }
    }

    /// Whether the terminal has already shown the sentence.
    var isShown: Bool {
        guard case .cancelled(let isShown) = self else { return false }
        return isShown
    }

    /// The sentence, without the lines for refused fields.
    func sentence(_ messages: MessageTable) -> String {
        switch self {
        case .response(let response, _): return messages.sentence(response.sentenceCode, values)
        case .formRefused(let error), .configurationRefused(let error):
            let problem = messages.sentence(error.problem.code, error.problem.values)
            return messages.sentence(entry.sentence, values.merging(["problem": .text(problem)]) { $1 })
        case .stopped(let progress, let failure) where !progress.isEmpty:
            return messages.sentence("tool.stopped", ["failure": .text(failure.sentence(messages))])
        case .stopped(_, let failure): return failure.sentence(messages)
        default: return messages.sentence(entry.sentence, values)
        }
    }
}
