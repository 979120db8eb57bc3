import Glibc
import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem

/// `run -- COMMAND`: sees to it that somebody is signed in, and becomes the program.
struct ProgramRun {
    let context: CommandContext

    func perform() async throws(ToolFailure) {
        let installation = try await Installation.open(context, creating: false)
        // Standard input is the program's.
        let terminal = Terminal(context, inputIsAnothers: true)
        throw become(knowing: try await installation.signIn(at: terminal, opening: .login).account)
    }

    private func become(knowing account: Account) -> ToolFailure {
        guard let world = context.inherited else { return .internal }
        return Self.become(context.invocation.operands, knowing: account, in: world)
    }

    /// Makes this process the program that `command` names, which is told whose account it is for.
    ///
    /// - Returns: why this is still the same program.
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
