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

    /// How often a model is read, and how often if the screen shows tenths.
    private static let (interval, shortInterval) = (Duration.milliseconds(500), Duration.milliseconds(100))

    private static let program = Program(summary: "Count games between two teams", version: "1.0")

    static func main() async {
        _ = program.arguments()
        let person = await SignedIn.atTerminal(speaking: [.english: GameForm.sentences])
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
            case .delete(let id, let score):
                if await confirm("Delete \(score)?", "Delete the game") { screen.delete(id) }
            case .logOut:
                if await !person.end() { Self.program.end(.inputOutput, saying: "The session could not be ended") }
                return
            case nil: return
            }
            // Another process may have ended the session. In that case nothing more is shown.
            guard await person.isLive() else { break }
        }
        Self.program.end(.notAllowed, saying: "The session has ended")
    }

    /// Shows a screen until the user chooses something or leaves, or the session ends. A signal ends the program.
    private func show<Shown: Screen>(_ screen: Shown) async -> Shown.Choice? {
        let loop = ScreenLoop(port: device, environment: person.terminal)
        let isPlain = person.terminal.isPlain || device.size.columns < TerminalEnvironment.leastColumns
        // The model may not have been updated for a long time, and a terminal without keys shows only one frame.
        if isPlain { await screen.update() }
        let updates = [
            keepUpdating(
                every: { screen.isFast ? Self.shortInterval : Self.interval },
                calling: { Task { await screen.update() } }),
            keepUpdating(every: { Self.interval }, calling: { await screen.keepTime() }),
        ]
        defer { for update in updates { update.cancel() } }
        let ending: TerminalEnding<Shown.Choice> = await loop.run(refreshing: screen.refresh) { columns in
            screen.frame(columns: columns)
        } handling: { action in
            guard await person.isLive() else { return .leave }
            let step = screen.handle(action)
            // A terminal without keys shows no new frame until the next line, so it waits for the result first.
            if isPlain { await screen.work.settle() }
            return step
        }
        // The next start continues with the time that was shown last.
        await list.keepTime(atOnce: true)
        return ending.valueOrDie()
    }

    /// Asks for confirmation before a game is deleted.
    private func confirm(_ question: String, _ action: String) async -> Bool {
        let updates = keepUpdating(every: { Self.interval }, calling: { await list.keepTime() })
        defer { updates.cancel() }
        let menu = TerminalMenu(port: device, environment: person.terminal, messages: person.messages)
        return await menu.choose(title: question, options: ["Keep it", action], goesBack: true).valueOrDie() == 1
    }

    /// Shows the form until the game is created, or the user leaves it.
    private func create() async {
        // The clocks continue while the user types names.
        let updates = keepUpdating(every: { Self.interval }, calling: { await list.keepTime() })
        defer { updates.cancel() }
        let prompt = FormPrompt(
            form: GameForm.form, port: device, environment: person.terminal, messages: person.messages)
        let ending = await prompt.run { answers in
            guard let draft = GameForm.draft(of: answers) else { return nil }
            return await save(draft)
        }
        _ = ending.valueOrDie()
    }

    /// - Returns: why the game was not created; nil closes the form.
    private func save(_ draft: GameDraft) async -> AlertViewModel? {
        // The list screen detects that the session has ended.
        guard await person.isLive() else { return nil }
        return await list.create(draft).map { AlertViewModel(title: $0) }
    }

    /// Updates a model repeatedly until the task is cancelled.
    private func keepUpdating(
        every interval: @escaping @MainActor () -> Duration, calling update: @escaping @MainActor () async -> Void
    ) -> Task<Void, Never> {
        Task {
            while !Task.isCancelled {
                await update()
                try? await Task.sleep(for: interval())
            }
        }
    }
}
