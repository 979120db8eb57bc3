import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem
import LatchkeyTerminal
import TestSupport

/// A front on an in-memory terminal, with responses from the test.
struct Stage {
    let port: ScriptedTerminal
    let network: ScriptedNetworking
    let running: Task<TerminalEnding<CompletedFlow>, Never>

    static let plain = TerminalEnvironment(isPlain: true)
    static let rich = TerminalEnvironment()

    static let ada = AccountSummary(
        id: "1", username: "ada", email: "ada@example.org", attributes: [:], state: "active", createdAt: "")

    init(
        _ environment: TerminalEnvironment, opening first: AccountType = .login, until goal: Goal = .signedIn,
        columns: Int = 80, rows: Int = 24, prefill: [FieldKey: FieldInput] = [:],
        clock: Locked<FormMachine.Instant>? = nil, answer: @escaping ScriptedNetworking.Rule
    ) throws {
        let port = ScriptedTerminal(columns: columns, rows: rows)
        let network = ScriptedNetworking(answering: answer)
        let dependency = AppDependency(networking: network, forms: try FormCatalogue.shipped, opensWith: { first })
        let front = TerminalFront(
            coordinator: AccountCoordinator(dependency: dependency, opening: first, until: goal), port: port,
            environment: environment, prefill: prefill,
            now: { clock?.withLock { $0 } ?? .now })
        self.port = port
        self.network = network
        running = Task { await front.run() }
    }

    /// The final screen.
    func screen() -> VTScreen {
        var screen = VTScreen(columns: port.size.columns, rows: port.size.rows)
        screen.feed(port.output)
        return screen
    }
}
