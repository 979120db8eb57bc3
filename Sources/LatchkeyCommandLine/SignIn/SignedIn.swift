import LatchkeyAccounts
public import LatchkeyFlows
public import LatchkeyForms
import LatchkeyNetworking
import LatchkeySystem
public import LatchkeyTerminal

/// Somebody who is signed in to a program of one's own, with latchkey's accounts, settings and sessions.
///
/// ```swift
/// let person = await SignedIn.atTerminal()
/// let notes = try await Notes(folder: person.folder, of: person.account.id)
/// ```
public struct SignedIn: Sendable {
    public let account: AccountSummary
    /// The folder that the store lies in: nobody else can write to it, and the program's own data may lie there.
    public let folder: String
    /// The language that the settings ask for.
    public let messages: MessageTable
    /// What the process's variables and the settings say about its terminal.
    public let terminal: TerminalEnvironment

    private let installation: Installation

    /// Whoever is signed in on this machine as this user; where nobody is, the front opens at the terminal.
    ///
    /// To be called first thing in `main`. The settings are those of `latchkey`: its variables and configuration files say
    /// where the store is. Where nobody signs in, the process ends with the status and the message that `latchkey` would
    /// end with.
    public static func atTerminal() async -> SignedIn {
        let environment = ProcessEnvironment.process
        let output = Output(json: false, quiet: false)
        var messages = Language(environment: environment.text).messages
        do throws(ToolFailure) {
            do throws(ProcessGuard.Refusal) { _ = try ProcessGuard.enter() } catch { throw .refusedStart(error) }
            let context = try CommandContext(program: environment, output)
            messages = context.messages
            guard let terminal = Terminal(context) else { throw .noTerminal }
            let installation = try await Installation.open(context, creating: true)
            let live = try await installation.signIn(at: terminal)
            return SignedIn(
                account: AccountSummary(live.account), folder: try StoreLocation(context.settings).folder,
                messages: messages, terminal: context.terminalEnvironment, installation: installation)
        } catch {
            CommandLineTool.end(error, output, messages)
        }
    }

    /// Whether it is still so: sessions expire, and may be ended from elsewhere. False also where the store cannot be read.
    public func isLive() async -> Bool {
        guard let live = try? await installation.session() else { return false }
        return live.session.scope == .full && live.account.id.text == account.id
    }

    /// Signs out. False where the store could not be told, so that the session lives on there until it expires.
    public func end() async -> Bool {
        (try? await installation.logOut()) != nil
    }
}

extension CommandContext {
    /// Of a program of one's own: what `latchkey` alone would do, without flags.
    fileprivate init(program environment: ProcessEnvironment, _ output: Output) throws(ToolFailure) {
        let settings = try Settings(flags: [], environment: environment)
        var rules = RuleRegistry.standard
        rules.commonPasswords = OperatorLists.commonPasswords(settings)
        let messages = settings.messages
        self.init(
            invocation: Invocation(command: .front, flags: [], operands: []), settings: settings,
            forms: try FormFolder.catalogue(settings.values.text(.forms), rules, messages), form: nil, rules: rules,
            messages: messages, output: output)
    }
}
