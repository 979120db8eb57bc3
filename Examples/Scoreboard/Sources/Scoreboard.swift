import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem
import LatchkeyTerminal

/// Counts games between two teams for the signed-in user.
@main @MainActor
struct Scoreboard {
    private let person: SignedIn
    private let device: TerminalDevice
    private let list: GameList

    /// How often the models are updated.
    private static let interval = Duration.milliseconds(500)

    private static let program = Program(summary: "Count games between two teams", version: "1.0")

    static func main() async {
        _ = program.arguments()
        let person = await SignedIn.atTerminal()
        let path = person.folder + "/scoreboard.sqlite"
        guard let device = TerminalDevice.open() else { program.end(.usage, saying: "There is no terminal") }
        do throws(StoreError) {
            let store = try await GameStore(at: path, of: person.account.id) { SystemTime.sinceBootMilliseconds() }
            await Scoreboard(person: person, device: device, list: GameList(in: store)).run()
        } catch {
            program.end(.inputOutput, saying: error.sentence(about: path, in: person.messages))
        }
    }

    private func run() async {
        let screen = ListScreen(list, of: person.account.name)
        while true {
            let choice = await show(screen)
            guard await person.isLive() else { break }
            switch choice {
            case .open(let id): if let game = await list.open(id) { _ = await show(GameScreen(game)) }
            case .create: await create()
            case .logOut:
                if await !person.end() { Self.program.end(.inputOutput, saying: "The session could not be ended") }
                return
            case nil: return
            }
            // Another process may have ended the session. Then nothing more is shown.
            guard await person.isLive() else { break }
        }
        Self.program.end(.notAllowed, saying: "The session has ended")
    }

    /// Shows a screen until the user chooses something or leaves, or the session ends. A signal ends the program.
    private func show<Shown: Screen>(_ screen: Shown) async -> Shown.Choice? {
        // The model may not have been updated for a long time.
        await screen.update()
        let loop = ScreenLoop(port: device, environment: person.terminal)
        let updates = keepUpdating { await screen.update() }
        defer { updates.cancel() }
        let ending = await loop.run(refreshing: screen.refresh) { columns in
            screen.frame(columns: columns)
        } handling: { action in
            await person.isLive() ? await screen.handle(action) : .leave
        }
        return ending.valueOrDie()
    }

    private func create() async {
        if let draft = list.failedDraft.value { return await list.create(draft) }
        // The clocks continue while the user types names.
        let updates = keepUpdating { await list.update() }
        defer { updates.cancel() }
        let prompt = FormPrompt(
            form: GameForm.form, port: device, environment: person.terminal, messages: GameForm.messages)
        guard let answers = await prompt.run().valueOrDie(), let draft = GameForm.draft(of: answers) else { return }
        if await person.isLive() { await list.create(draft) }
    }

    /// Updates a model repeatedly until the task is cancelled.
    private func keepUpdating(_ update: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
        Task {
            while !Task.isCancelled {
                await update()
                try? await Task.sleep(for: Self.interval)
            }
        }
    }
}
