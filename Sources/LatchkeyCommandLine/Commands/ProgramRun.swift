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
        let present = try await installation.session()
        if let present, present.session.scope == .full { throw become(knowing: present.account) }
        throw become(knowing: try await signIn(installation, mustChange: present != nil).account)
    }

    /// Asks for what is missing: the log-in, or another password where one is demanded.
    private func signIn(
        _ installation: Installation, mustChange: Bool
    ) async throws(ToolFailure) -> LiveSession {
        // Standard input is the program's.
        guard let terminal = Terminal(run, inputIsAnothers: true) else { return try await installation.fullSession() }
        let coordinator = AccountCoordinator(
            dependency: installation.dependency, opening: mustChange ? .changePassword : .login,
            until: mustChange ? .success(of: .changePassword) : .signedIn)
        _ = try await terminal.run(coordinator, nil)
        return try await installation.fullSession()
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
