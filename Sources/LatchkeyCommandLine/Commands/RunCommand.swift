import Glibc
import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem

/// `run -- COMMAND`: signs in if necessary, and becomes the program.
enum RunCommand {
    static let spec = CommandSpec(
        words: ["run"], summary: "Run a program after logging in",
        about: "Log in if you are not signed in, then replace this process with COMMAND. COMMAND gets the caller's"
            + " environment, umask, limits and files, and LATCHKEY_ACCOUNT_ID and LATCHKEY_ACCOUNT_NAME; its exit status"
            + " is the result. Latchkey asks in the terminal even if standard input is redirected: that is for COMMAND.",
        operand: CommandSpec.Operand(name: "COMMAND", isRequired: true, isProgram: true), hashesPasswords: true,
        readsForms: true,
        statuses: [.done, .no] + ExitStatus.ofStores + [.cannotExecute, .programNotFound],
        examples: ["latchkey run -- env", "latchkey run -- sh -c 'echo \"Hello, $LATCHKEY_ACCOUNT_NAME\"'"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false)
        // Standard input belongs to the program.
        let terminal = Terminal(context, inputIsAnothers: true)
        let account = try await installation.signIn(at: terminal, opening: .login).account
        guard let world = context.inherited else { throw .internal }
        throw become(context.invocation.operands, knowing: account, in: world)
    }

    /// Replaces this process with the program that `command` names, and passes it the account.
    ///
    /// - Returns: why the program did not start.
    static func become(
        _ command: [Argument], knowing account: Account, in world: InheritedEnvironment,
        adding variables: [(name: String, value: String)] = []
    ) -> ToolFailure {
        let error = world.become(
            command.map(\.bytes),
            adding: variables + [
                ("LATCHKEY_ACCOUNT_ID", account.id.text), ("LATCHKEY_ACCOUNT_NAME", account.username.typed),
            ])
        let name = command.first.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
        let isMissing = error.code == ENOENT || error.code == ENOTDIR
        return isMissing ? .programNotFound(name: name) : .cannotExecute(name: name)
    }
}
