import Glibc
import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import LatchkeySystem
import TestSupport
import Testing

@testable import LatchkeyCommandLine

/// Pins every failure of the command line: its code, exit status and JSON status, and its sentence in each language.
@Suite(.timeLimit(.minutes(60))) struct ToolFailureCodeTests {
    /// An error in a description, for failures that contain one.
    private static let description: FormDescriptionError = {
        do throws(FormDescriptionError) {
            _ = try SettingValues(json: Array("{} x".utf8), file: "config.json")
            fatalError("the text is not JSON")
        } catch {
            return error
        }
    }()

    /// The case after `failure`, with sample values. A new case does not compile until it is added here.
    private static func next(after failure: ToolFailure?) -> ToolFailure? {
        switch failure {
        case nil: .unknownCommand(command: "/x")
        case .unknownCommand: .unknownCommandSuggestion(command: "/x", nearest: "/x")
        case .unknownCommandSuggestion: .commandMissing(group: "/x", known: "/x")
        case .commandMissing: .unknownFlag(flag: "/x")
        case .unknownFlag: .unknownFlagSuggestion(flag: "/x", nearest: "/x")
        case .unknownFlagSuggestion: .operandLikeFlag(flag: "-x", name: "/y")
        case .operandLikeFlag: .flagNeedless(flag: "/x", command: "/x")
        case .flagNeedless: .flagTwice(flag: "/x")
        case .flagTwice: .flagTakesNone(flag: "/x")
        case .flagTakesNone: .flagNeedsValue(flag: "/x")
        case .flagNeedsValue: .noArguments
        case .noArguments: .operandMissing(name: "/x")
        case .operandMissing: .operandFirst(name: "/x")
        case .operandFirst: .operandTooMany(command: "/x")
        case .operandTooMany: .programBehindDashes
        case .programBehindDashes: .argumentTooLong(maximum: 7)
        case .argumentTooLong: .checkpasswordInput(maximum: 7)
        case .checkpasswordInput: .badValue("/x", .path)
        case .badValue: .flagMissing(name: "/x")
        case .flagMissing: .calibrateTarget(minimum: 50, maximum: 1000)
        case .calibrateTarget: .mapOnlyCsv
        case .mapOnlyCsv: .formatUnknown(name: "/x", known: "/x")
        case .formatUnknown: .unknownShell(known: "/x")
        case .unknownShell: .unknownFlow(known: "/x")
        case .unknownFlow: .unknownForm(known: "/x")
        case .unknownForm: .unknownState(known: "/x")
        case .unknownState: .unknownEvent(event: "/x", known: "/x")
        case .unknownEvent: .unknownEventSuggestion(event: "/x", nearest: "/x")
        case .unknownEventSuggestion: .flagsMissing([])
        case .flagsMissing: .jsonlMissing
        case .jsonlMissing: .batchMissing
        case .batchMissing: .batchAlone(flag: "/x")
        case .batchAlone: .noText(flag: "/x")
        case .noText: .updateNothing
        case .updateNothing: .nothingToChange
        case .nothingToChange: .noTerminal
        case .noTerminal: .yesNeeded
        case .yesNeeded: .auditMineAlone
        case .auditMineAlone: .sessionsChoice
        case .sessionsChoice: .othersOfAccount
        case .othersOfAccount: .secretArgument(given: "/x", flag: "/x")
        case .secretArgument: .hashArgument(given: "/x")
        case .hashArgument: .secretEnvironment(name: "/x", flag: "/x")
        case .secretEnvironment: .hashEnvironment(name: "/x")
        case .hashEnvironment: .secretUnwanted(flag: "/x", other: "/x")
        case .secretUnwanted: .secretTwice(flag: "/x")
        case .secretTwice: .flagsExclude(flag: "/x", other: "/x")
        case .flagsExclude: .serverUnwanted(name: "/x")
        case .serverUnwanted: .serverAndStore(server: "/x", store: "/x")
        case .serverAndStore: .serverFailed(problem: "/x")
        case .serverFailed: .passwordLater(flag: "/x")
        case .passwordLater: .secretFromTerminal(flag: "/x")
        case .secretFromTerminal: .secretMissing(flag: "/x")
        case .secretMissing: .inputLeftOver
        case .inputLeftOver: .validationFailed([])
        case .validationFailed: .formsRefused([])
        case .formsRefused: .formRefused(description)
        case .formRefused: .tooManyFiles(path: "/x", maximum: 7)
        case .tooManyFiles: .fileForFolder(path: "/x")
        case .fileForFolder: .languageName(path: "/x")
        case .languageName: .translationsRefused([])
        case .translationsRefused: .configurationRefused(description)
        case .configurationRefused: .configurationUnwritten(name: "/x")
        case .configurationUnwritten: .settingsRefused([], settings: .null)
        case .settingsRefused: .hashEngine(name: "/x", known: "/x")
        case .hashEngine: .hashCost
        case .hashCost: .hashCostHigh
        case .hashCostHigh: .calibrateMemory
        case .calibrateMemory: .hashUnsupported
        case .hashUnsupported: .blocklistLine(name: "/x", line: 7)
        case .blocklistLine: .importRefused(.init(), errors: .null)
        case .importRefused: .importRefusedDry(.init(), errors: .null)
        case .importRefusedDry: .importRefusedSome(.init(), errors: .null)
        case .importRefusedSome: .importOvertaken(.init())
        case .importOvertaken: .importChanged(name: "/x")
        case .importChanged: .applyRefused(refused: 7, errors: .null)
        case .applyRefused: .applyTooLarge(name: "/x", maximum: 7)
        case .applyTooLarge: .exportExposed
        case .exportExposed: .importInterrupted(.init(), by: 2)
        case .importInterrupted: .importInterruptedEarly(.init(), by: 2)
        case .importInterruptedEarly: .applyInterrupted(done: 7, total: 7, by: 2)
        case .applyInterrupted: .applyInterruptedEarly(by: 2)
        case .applyInterruptedEarly: .exportInterrupted(by: 2)
        case .exportInterrupted: .migrationInterrupted(by: 2)
        case .migrationInterrupted: .copyInterrupted(by: 2)
        case .copyInterrupted: .stopped(.changes(1), .noMemory)
        case .stopped: .reading("/x", .notFound)
        case .reading: .making("/x", .notFound)
        case .making: .traceExposed(path: "/x")
        case .traceExposed: .traceForeign(path: "/x")
        case .traceForeign: .outputNeeded(path: "/x")
        case .outputNeeded: .replacementUnconfirmed(path: "/x")
        case .replacementUnconfirmed: .secretUnprinted
        case .secretUnprinted: .outputFailed
        case .outputFailed: .noHome(name: "/x")
        case .noHome: .noRuntimeFolder
        case .noRuntimeFolder: .store(.full, path: "/x")
        case .store: .storeFolderMissing(path: "/x")
        case .storeFolderMissing: .storeUnsound(path: "/x", [])
        case .storeUnsound: .problemsFound([])
        case .problemsFound: .unhealthy(server: "/x", problem: "/x")
        case .unhealthy: .unknownSetting(key: "/x", similar: [])
        case .unknownSetting: .makingBackup("/x", .full)
        case .makingBackup: .backupExists(path: "/x")
        case .backupExists: .backupDiffers(path: "/x")
        case .backupDiffers: .backupInUse(path: "/x", other: "/x")
        case .backupInUse: .backupDamaged(path: "/x")
        case .backupDamaged: .backupNotOne(path: "/x")
        case .backupNotOne: .backupNewer(path: "/x")
        case .backupNewer: .restoreExists(path: "/x")
        case .restoreExists: .restoreUnsealed(count: 7, path: "/x")
        case .restoreUnsealed: .pepperUnknown(id: "/x")
        case .pepperUnknown: .pepperCurrent(id: "/x")
        case .pepperCurrent: .pepperInUse(id: "/x", count: 7)
        case .pepperInUse: .pepperRefused(count: 7)
        case .pepperRefused: .auditEmpty
        case .auditEmpty: .auditUnsound(.broken(sequence: 7))
        case .auditUnsound: .mailer(.timedOut)
        case .mailer: .mailUndelivered(.init(count: 7, since: Timestamp(milliseconds: 0), reason: "/x"), [])
        case .mailUndelivered: .mailServerAddress(url: "/x")
        case .mailServerAddress: .mailServerRefused(problem: "/x")
        case .mailServerRefused: .tooManyTokens(maximum: 7)
        case .tooManyTokens: .tooManyAppPasswords(maximum: 7)
        case .tooManyAppPasswords: .response(.throttled(retryAfter: .seconds(7)), [])
        case .response: .noSuchAccount
        case .noSuchAccount: .noUseDisabled
        case .noUseDisabled: .noUseUnverified
        case .noUseUnverified: .noSuchForm
        case .noSuchForm: .noSuchSession
        case .noSuchSession: .noSuchToken
        case .noSuchToken: .noFactor
        case .noFactor: .deviceUnknown
        case .deviceUnknown: .deviceRefused(name: "/x", .notInGroup)
        case .deviceRefused(let name, .notInGroup): .deviceRefused(name: name, .levelTooLow)
        case .deviceRefused(let name, .levelTooLow): .deviceRefused(name: name, .clientDisabled)
        case .deviceRefused: .noSuchAppPassword
        case .noSuchAppPassword: .noSuchPasskey
        case .noSuchPasskey: .passkeyInBrowser(page: "/x")
        case .passkeyInBrowser: .group(.tooMany)
        case .group: .tooManyGroupsOfToken(maximum: 2)
        case .tooManyGroupsOfToken: .groupOfSignUp
        case .groupOfSignUp: .tokenRefused
        case .tokenRefused: .changeRequired(username: "/x")
        case .changeRequired: .usernameUnsafe(username: "/x")
        case .usernameUnsafe: .addressUnverified(username: "x@y.example")
        case .addressUnverified: .sessionStore(.homeless)
        case .sessionStore: .sessionLives
        case .sessionLives: .cancelled(isShown: false)
        case .cancelled: .otherNameTyped(username: "/x")
        case .otherNameTyped: .otherCountTyped(count: 2)
        case .otherCountTyped: .originNeeded
        case .originNeeded: .originInsecure(origin: "http://x.example")
        case .originInsecure: .proxyNeeded
        case .proxyNeeded: .themeEmpty(path: "/x", known: "/x")
        case .themeEmpty: .listenFailed(name: "/x", .inUse)
        case .listenFailed: .alreadyServing(path: "/x")
        case .alreadyServing: .clockDiffers(seconds: "75.000")
        case .clockDiffers: .serviceMissing
        case .serviceMissing: .databaseUnusable(path: "/x")
        case .databaseUnusable: .databaseHasBackups(path: "/x", folder: "/y")
        case .databaseHasBackups: .noMemory
        case .noMemory: .noThreads
        case .noThreads: .refusedStart(.setuid)
        case .refusedStart: .cannotExecute(name: "/x")
        case .cannotExecute: .programNotFound(name: "/x")
        case .programNotFound: .internal
        case .internal: .application(.unknown(id: "/x"))
        case .application(let failure): next(after: failure).map { .application($0) }
        }
    }

    private static func next(after failure: ApplicationFailure) -> ApplicationFailure? {
        switch failure {
        case .unknown: .exists(id: "/x")
        case .exists: .badID(id: "/x")
        case .badID: .tooMany(maximum: 7)
        case .tooMany: .twoSecrets(id: "/x")
        case .twoSecrets: .oneSecret(id: "/x")
        case .oneSecret: .isPublic(id: "/x")
        case .isPublic: .unknownSetting(name: "/x")
        case .unknownSetting: .unknownSettingSuggestion(name: "/x", nearest: "/y")
        case .unknownSettingSuggestion: .hasSecret(id: "/x")
        case .hasSecret: .badSetting(name: "/x", problem: "/y")
        case .badSetting: .unknownKey(id: "/x")
        case .unknownKey: .fileRefused(count: 7)
        case .fileRefused: AccessRefusal.allCases.first.map { .noAccess(id: "/x", account: "/y", $0) }
        case .noAccess(_, _, let refusal):
            AccessRefusal.allCases.drop { $0 != refusal }.dropFirst().first.map {
                .noAccess(id: "/x", account: "/y", $0)
            }
        }
    }

    /// The value after `expected`, in the same way.
    private static func next(after expected: ExpectedValue?) -> ExpectedValue? {
        switch expected {
        case nil: .path
        case .path: .store
        case .store: .wholeNumber
        case .wholeNumber: .number(in: 1...7)
        case .number(let range): range.upperBound == 7 ? .number(in: 1 ... .max) : .time
        case .time: .duration
        case .duration: .text(maximum: 7)
        case .text: .secret(minimum: 7, maximum: 8)
        case .secret: .name(maximum: 7)
        case .name: .address
        case .address: .emailAddress
        case .emailAddress: .listenAddress
        case .listenAddress: .distinctAddress
        case .distinctAddress: .group(given: "/x")
        case .group: .groupName
        case .groupName: .origin
        case .origin: .network
        case .network: .cookieDomain
        case .cookieDomain: .server(problem: "/x")
        case .server: .anchor
        case .anchor: .theme(maximum: 7)
        case .theme: .policy(known: "/x")
        case .policy: .language(known: "/x")
        case .language: .choice(known: "/x")
        case .choice: .format(known: "/x")
        case .format: .mapping(known: "/x")
        case .mapping: nil
        }
    }

    /// One failure of each case.
    static let cases: [ToolFailure] = {
        var failures: [ToolFailure] = []
        while let failure = next(after: failures.last) { failures.append(failure) }
        var expected: ExpectedValue?
        while let value = next(after: expected) {
            failures.append(.badValue("/x", value))
            expected = value
        }
        return failures
    }()

    /// One failure for each error of another module that a failure can contain.
    private static let wrapped: [ToolFailure] = {
        let files: [FileError] = [
            .notFound, .notRegular, .symlink, .exposed(path: "/x"), .openFolder(path: "/x"),
            .otherOwner(path: "/x", owner: 1), .tooLarge(limit: 1), .alreadyThere, .busy,
            .silent, .full, .readOnly, .outOfMemory, .system(code: EACCES), .system(code: EIO),
        ]
        let stores: [StoreError] = [
            .busy, .full, .readOnly, .corrupt, .notAStore, .older(schema: 13), .tooOld(schema: 1), .newer(schema: 99),
            .missing,
            .stray(path: "/x-wal"), .superJournal(path: "/x-journal"), .exposed(path: "/x"), .openFolder(path: "/x"),
            .otherOwner(path: "/x", owner: 1), .denied(path: "/x"), .keyMissing(path: "/x"),
            .keyForeign(path: "/x"), .unreachable(reason: "no route"), .outcomeUnknown, .incomplete, .encoding,
            .refused(state: "42501"),
            .sealingKeysMissing(["7"]),
            .noSealingKey, .networkFileSystem, .settingRefused, .outOfMemory, .failed(resultCode: 10),
        ]
        let mailers: [MailerError] =
            [
                .system(code: 5), .folder(.full, path: "/x"), .missing(program: "/x"), .exited(status: 1),
                .killed(signal: 9), .timedOut,
            ] + MailServerFailure.Reason.allCases.map { .server(MailServerFailure($0, code: 550, reply: "550 no")) }
        let sessions: [SessionStoreError] = [.exposed(path: "/x"), .failed(path: "/x"), .homeless]
        let findings: [AuditVerification.Finding] = [
            .intact, .broken(sequence: 7), .anchorDiffers(sequence: 7), .anchorAfterEnd(sequence: 7),
            .anchorBeforeStart(sequence: 7), .anchorUnknown, .endsEarlier(sequence: 7),
        ]
        let groups: [GroupFailure] = [
            .missing(.administrators), .nameTaken(.administrators), .tooMany, .tooManyOfAccount,
            .inUse([.invitation(id: "0123abcd"), .initialGroups, .administrators]), .adminNeeded,
            .lastAdministrator(.administrators),
        ]
        let refusals: [ProcessGuard.Refusal] = [.setuid, .noDescriptors(code: 24)]
        var failures = files.map { ToolFailure.reading("/x", $0) } + files.map { .making("/x", $0) }
        failures += stores.map { .store($0, path: "/x") } + stores.map { .makingBackup("/x", $0) }
        failures += mailers.map { .mailer($0) } + sessions.map { .sessionStore($0) }
        failures += groups.map { .group($0) }
        failures += findings.map { .auditUnsound($0) } + refusals.map { .refusedStart($0) }
        return failures
    }()

    @Test func `codes, exit statuses and JSON statuses do not change`() throws {
        let lines = (Self.cases + Self.wrapped).map { failure in
            let values = failure.values.keys.sorted().joined(separator: ",")
            return "\(failure.code) \(failure.status.rawValue) \(failure.httpStatus) \(values)"
        }
        #expect(Self.cases.count > 100)
        try Golden.expect(Set(lines).sorted().joined(separator: "\n") + "\n", "failures.txt")
    }

    @Test(arguments: Translation.builtIn.map(\.language))
    func `each failure has a sentence, which shows only values of the failure`(language: Language) throws {
        let messages = try LanguageFolder().translation(language).allMessages
        for failure in Self.cases + Self.wrapped {
            let sentence = failure.sentence(messages)
            // A value may be JSON.
            let words = failure.values.values.reduce(sentence) { words, value in
                if case .text(let text) = value, text.hasPrefix("{") { words.replacing(text, with: "") } else { words }
            }
            #expect(!words.contains("{") && !sentence.contains("tool."), "\(failure.code): \(sentence)")
            switch failure {
            case .response, .stopped, .formRefused, .configurationRefused: continue
            default: break
            }
            let placeholders = try #require(
                messages.placeholders(of: failure.entry.sentence)?.required, "\(failure.code)")
            #expect(placeholders.isSubset(of: failure.values.keys), "\(failure.code)")
        }
    }
}
