public import LatchkeyAccounts
public import LatchkeyFlows
public import LatchkeyForms
import LatchkeyNetworking
import LatchkeySystem
public import LatchkeyTerminal

/// The logged-in user of your program, with Latchkey's accounts, settings and sessions.
///
/// ```swift
/// let person = await SignedIn.atTerminal()
/// let notes = try await Notes(folder: person.folder, of: person.account.id)
/// ```
public struct SignedIn: Sendable {
    /// The account that is logged in.
    public let account: AccountSummary
    /// The folder of the store, which only this system user can write to. Your program may store data there.
    public let folder: String
    /// The sentences of Latchkey and your program, in the user's language.
    public let messages: MessageTable
    /// The terminal's capabilities, from environment variables and settings.
    public let terminal: TerminalEnvironment

    private let owner: AccountOwner

    /// Returns the logged-in account of this system user, also in a script. If there is none, asks for a login in the
    /// terminal.
    ///
    /// Call it first in `main`. It uses the settings of `latchkey`, whose variables and configuration files specify the
    /// store. If the user does not sign in, the process ends with the status of `latchkey` and a message that begins
    /// with your program's name.
    ///
    /// - Parameter sentences: your program's sentences by code, for each language that it supports. Latchkey only shows
    ///   its forms and messages in these languages, which avoids mixing two languages. If the user's language is not
    ///   among them, it uses English.
    public static func atTerminal(
        speaking sentences: [Language: [String: String]] = [.standard: [:]]
    ) async -> SignedIn {
        let environment = ProcessEnvironment.process
        let name = CommandLine.arguments.first?.split(separator: "/").last
        let output = Output(program: name.map(String.init) ?? "latchkey")
        var messages = Settings.messages(before: [], in: environment)
        do throws(ToolFailure) {
            do throws(ProcessGuard.Refusal) { _ = try ProcessGuard.enter() } catch { throw .refusedStart(error) }
            let context = try CommandContext(program: environment, sentences, output)
            messages = context.messages
            let (owner, live) = try await present(context)
            return SignedIn(
                account: live.account, folder: try context.storeLocation().folder,
                messages: messages, terminal: context.terminalEnvironment, owner: owner)
        } catch {
            CommandLineTool.end(error, output, messages)
        }
    }

    /// Returns the current session. If there is none, asks for a login in the terminal.
    ///
    /// - Throws: status 64 without a session and a terminal.
    private static func present(
        _ context: CommandContext
    ) async throws(ToolFailure) -> (owner: AccountOwner, live: OwnSession) {
        guard let terminal = Terminal(context) else {
            guard let owner = try? await context.owner(), let live = try await owner.session(), live.isFull else {
                throw .noTerminal
            }
            return (owner, live)
        }
        let owner = try await context.owner(creating: true)
        return (owner, try await owner.signIn(at: terminal))
    }

    /// Reports whether the session is still valid. It can expire or be ended elsewhere.
    public var session: SessionWatch {
        SessionWatch { [owner, id = account.id] in await owner.stateOfSession(of: id, withFullScope: true) }
    }

    /// Logs out. Returns false if the store cannot be written; the session then remains until it expires.
    public func end() async -> Bool {
        (try? await owner.logOut()) != nil
    }
}

extension CommandContext {
    /// The context of your program, like that of `latchkey` without a command and flags.
    fileprivate init(
        program environment: ProcessEnvironment, _ sentences: [Language: [String: String]], _ output: Output
    ) throws(ToolFailure) {
        let settings = try Settings(flags: [], environment: environment, programSentences: sentences)
        var rules = RuleRegistry.standard
        rules.commonPasswords = OperatorLists.commonPasswords(settings)
        let messages = settings.messages
        self.init(
            invocation: Invocation(command: FrontCommand.spec, flags: [], operands: []), settings: settings,
            forms: try FormFolder.catalogue(settings.values.text(.forms), rules, messages), form: nil, rules: rules,
            messages: messages, output: output)
    }
}

extension StoreError {
    /// The sentence for an error of the store, or of your program's database, at `path`.
    public func sentence(about path: String, in messages: MessageTable) -> String {
        ToolFailure.store(self, path: path).sentence(messages.completed(by: .commandLine))
    }
}
