import Glibc
import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem

/// `run -- COMMAND`: sees to it that somebody is signed in, and becomes the program.
struct ProgramRun {
    let run: Run

    func perform() async throws(ToolFailure) {
        let installation = try await Installation.open(run, creating: false)
        // Standard input is the program's.
        let terminal = Terminal(run, inputIsAnothers: true)
        throw become(knowing: try await installation.signIn(at: terminal, opening: .login).account)
    }

    private func become(knowing account: Account) -> ToolFailure {
        guard let world = run.callersWorld else { return ToolFailure(.software, "internal") }
        return Self.become(run.invocation.operands, knowing: account, in: world)
    }

    /// Makes this process the program that `command` names, which is told whose account it is for.
    ///
    /// - Returns: why this is still the same program.
    static func become(
        _ command: [Argument], knowing account: Account, in world: CallersWorld,
        adding variables: [(name: String, value: String)] = []
    ) -> ToolFailure {
        let error = world.become(
            command.map(\.bytes),
            adding: variables + [
                ("LATCHKEY_ACCOUNT_ID", account.id.text), ("LATCHKEY_ACCOUNT_NAME", account.username.typed),
            ])
        let name = command.first.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
        let isMissing = error.code == ENOENT || error.code == ENOTDIR
        return ToolFailure(
            isMissing ? .programNotFound : .cannotExecute, isMissing ? "program_not_found" : "cannot_execute",
            ["name": .text(name)])
    }
}
