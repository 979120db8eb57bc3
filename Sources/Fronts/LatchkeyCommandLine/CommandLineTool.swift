import Glibc
import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeySQLite
import LatchkeySystem
import LatchkeyTerminal

/// The program: parses the command line, runs the command and prints its result.
public enum CommandLineTool {
    /// The version that `--version` prints (semver.org).
    public static let version = "0.1.0"

    /// Runs the command line of this process, and then ends the process.
    public static func main() async -> Never { await main(with: CommandTable.all) }

    /// Like ``main(with:parts:)``, for a program with a synchronous `main` and code that does not need the main actor.
    ///
    /// When an asynchronous `main` waits for the first time, it ends the main thread. This loads libgcc's unwinder and
    /// reads its tables, which takes 0.7 MB and delays the first prompt.
    package static func start(with commands: [CommandSpec] = CommandTable.all, parts: ServiceParts? = nil) -> Never {
        Task.immediateDetached { await main(with: commands, parts: parts) }
        // The main thread stays alive and receives signals, even those that the caller has blocked, as it does after an
        // asynchronous `main`.
        var none = sigset_t()
        _ = unsafe sigemptyset(&none)
        while true { _ = unsafe sigsuspend(&none) }
    }

    /// Runs the command in the process's arguments, one of `commands`, and then ends the process.
    ///
    /// - Parameter parts: the features that only `latchkey-service` has.
    package static func main(
        with commands: [CommandSpec] = CommandTable.all, parts: ServiceParts? = nil
    ) async -> Never {
        let program = commands.first?.program ?? "latchkey"
        let inherited: InheritedEnvironment
        do throws(ToolFailure) {
            do throws(ProcessGuard.Refusal) { inherited = try ProcessGuard.enter() } catch {
                throw .refusedStart(error)
            }
            // Swift reads the arguments from /proc. If that is missing, there seem to be none.
            guard CommandLine.argc > 0 else { throw .noArguments }
        } catch {
            end(error, Output(program: program), Settings.messages(before: [], in: .process))
        }
        SQLiteLibrary.disableMemoryStatistics()
        await run(processArguments(), of: commands, parts, in: .process, inherited)
    }

    /// The bytes of each argument. `CommandLine.arguments` would repair invalid UTF-8.
    static func processArguments() -> [Argument] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            guard let start = unsafe CommandLine.unsafeArgv[index] else { return nil }
            return unsafe Argument(bytes: Array(UnsafeRawBufferPointer(start: start, count: strlen(start))))
        }
    }

    private static func run(
        _ arguments: [Argument], of commands: [CommandSpec], _ parts: ServiceParts?,
        in environment: ProcessEnvironment, _ inherited: InheritedEnvironment
    ) async -> Never {
        // This is read before parsing, because a parse error is printed as JSON too.
        let beforeEnd = arguments.prefix { !$0.endsFlags }
        let output = Output(
            program: commands.first?.program ?? "latchkey", json: beforeEnd.contains(Argument("--json")),
            quiet: beforeEnd.contains(Argument("--quiet")) || beforeEnd.contains(Argument("-q")))
        // Nil until the settings are known.
        var messages: MessageTable?
        var exitCodes: ExternalExitCodes?
        do throws(ToolFailure) {
            let status = try await perform(
                arguments, of: commands, parts, in: environment, inherited, output, &messages, &exitCodes)
            ExitHandlers.exit(status.rawValue)
        } catch {
            let messages = messages ?? Settings.messages(before: beforeEnd, in: environment)
            if let exitCodes { end(error, as: exitCodes, messages) }
            end(error, output, messages)
        }
    }

    private static func perform(
        _ arguments: [Argument], of commands: [CommandSpec], _ parts: ServiceParts?,
        in environment: ProcessEnvironment, _ inherited: InheritedEnvironment, _ output: Output,
        _ known: inout MessageTable?, _ exitCodes: inout ExternalExitCodes?
    ) async throws(ToolFailure) -> ExitStatus {
        let parser = ArgumentParser(commands: commands)
        var first = try parser.firstPass(arguments)
        if first.command.words == HelpCommand.help.words, !first.wantsHelp || first.operandBeforeFlags != nil {
            // The operands of `help` are the words of another command.
            first = try parser.firstPass(first.rest + [Argument("--help")])
        }
        exitCodes = first.command.externalExitCodes
        var output = output
        output.isLog = first.command.writesLog && !first.wantsHelp && !output.showsProblemsOnTerminal
        if first.has("version") {
            try output.show(.version(of: first.command), Translation.english.allMessages)
            return .done
        }
        let settings = try Settings(
            flags: first.known, environment: environment, tolerating: first.command.toleratesSettings,
            comparedWith: parts.english)
        // Help is in English too, with the labels of its fields.
        let isInEnglish = first.wantsHelp || first.command.isForOperators(among: commands)
        let messages = isInEnglish ? settings.messages(in: .english) : settings.messages
        known = messages
        try first.command.checkServer(settings)
        if parts == nil, !first.wantsHelp, first.command.needsService(settings, first.operandBeforeFlags) {
            try inherited.becomeService()
        }
        let server =
            try first.command.worksOverServer && !first.wantsHelp
            ? settings.server.map { (address) throws(ToolFailure) in
                guard let parts else { throw ToolFailure.serviceMissing }
                return try parts.connect(address, settings.authorities, settings.messages)
            } : nil
        for code in settings.retiredSentences {
            output.note(messages.sentence("tool.setting_sentence_retired", ["key": .text(code)]))
        }
        let database =
            first.wantsHelp || server != nil || !first.command.usesStore || first.command.migrates
            ? nil : try await parts?.openDatabase(settings)
        var rules = RuleRegistry.standard
        rules.commonPasswords = OperatorLists.commonPasswords(settings, storeID: database?.identity.id)
        let forms =
            if let server, first.command.needsForms {
                try await server.forms(rules, messages)
            } else {
                try FormFolder.catalogue(
                    first.command.needsForms ? settings.values.text(.forms) : nil, rules, messages
                ).requiringSetupPassword(of: settings.policy)
            }
        let form = try first.form(in: forms)
        if first.wantsHelp {
            let text = HelpText(
                commands: commands, form: form, width: HelpText.width(of: output), isComplete: first.has("help-all"))
            let lines = text.lines(for: first.command)
            try output.show(.lines(lines, json: [("help", .string(lines.joined(separator: "\n")))]), messages)
            return .done
        }
        let invocation = try parser.secondPass(first, flags: first.command.flags(of: form))
        if server != nil { try invocation.refuseFlagsOfStore() }
        let events = AccountEvents()
        let trace = try settings.values.text(.trace).map { (path) throws(ToolFailure) in
            try EventTrace(of: events, in: path)
        }
        defer { trace?.finish(output, messages) }
        let context = CommandContext(
            invocation: invocation, settings: settings, forms: forms, form: form, rules: rules,
            messages: messages, output: output, parts: parts, server: server, database: database,
            inherited: inherited, events: events)
        do throws(SystemError) {
            // A login needs four of Swift's threads and three of Latchkey's. The rest reserves memory for code that
            // runs before they start.
            try ThreadSupply.prove(shared: 5, own: 6)
        } catch {
            throw .noThreads
        }
        let result = try await first.command.run(context)
        try output.show(result, messages)
        return result.status
    }

    static func end(_ failure: ToolFailure, _ output: Output, _ messages: MessageTable) -> Never {
        output.failure(failure, messages)
        if let signal = failure.signal { TerminalEnding<Never>.killed(by: signal).valueOrDie() }
        ExitHandlers.exit(failure.status.rawValue)
    }

    private static func end(_ failure: ToolFailure, as exitCodes: ExternalExitCodes, _ messages: MessageTable) -> Never
    {
        if failure.status != .no { Output().failure(failure, messages) }
        ExitHandlers.exit(exitCodes.code(failure.status))
    }
}
