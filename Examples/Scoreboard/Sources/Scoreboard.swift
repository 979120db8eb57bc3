import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem
import LatchkeyTerminal
import LatchkeyText

/// Counts games between two teams for the logged-in user.
@main @MainActor
struct Scoreboard {
    private let person: SignedIn
    private let terminal: HeldTerminal
    private let store: GameStore
    private let list: GameList

    /// How often a model is read and the session is checked, and how often a model is read if the screen shows tenths.
    private static let (interval, shortInterval) = (Duration.milliseconds(500), Duration.milliseconds(100))

    private static let program = Program(summary: "Count games between two teams", version: "1.0")

    static func main() async {
        _ = program.arguments()
        let person = await SignedIn.atTerminal(speaking: [.english: GameForm.sentences])
        let path = person.folder + "/scoreboard.sqlite"
        guard let device = TerminalDevice.open() else { program.end(.usage, saying: "There is no terminal") }
        do throws(StoreError) {
            let store = try await program.waiting(for: path) { () async throws(StoreError) in
                try await GameStore(at: path, of: person.account.id) { SystemTime.sinceBootMilliseconds() }
            }
            let terminal = HeldTerminal(device)
            await Scoreboard(person: person, terminal: terminal, store: store, list: GameList(in: store)).run()
            terminal.release()
        } catch {
            program.end(.inputOutput, saying: error.sentence(about: path, in: person.messages))
        }
    }

    /// Whether the user types lines instead of keys.
    private var isPlain: Bool { person.terminal.takesLines(columns: terminal.size.columns) }

    private func run() async {
        let screen = ListScreen(list, of: person.account.name, isPlain: isPlain)
        var hasKeptDraft = false
        while true {
            let choice = await show(screen)
            guard await !person.session.hasEnded() else { break }
            switch choice {
            case .open(let id): if let game = await list.open(id) { _ = await show(GameScreen(game, isPlain: isPlain)) }
            case .create: hasKeptDraft = await create()
            case .delete(let id, let score):
                if await confirm("Delete \(score)?", ["Keep it", "Delete the game"]) { screen.delete(id) }
            case .logOut:
                if await !person.end() { Self.program.end(.inputOutput, saying: "The session could not be ended") }
                return
            case nil: return
            }
            // Another process may have ended the session. In that case nothing more is shown.
            guard await !person.session.hasEnded() else { break }
            hasKeptDraft = false
        }
        terminal.release()
        Self.program.endWithSession(keepingDraft: hasKeptDraft)
    }

    /// Shows a screen until the user chooses something or leaves, or the session ends. A signal ends the program.
    private func show<Shown: Screen>(_ screen: Shown) async -> Shown.Choice? {
        let loop = ScreenLoop(port: terminal, environment: person.terminal)
        // The model may not have been updated for a long time, and a terminal without keys shows only one frame.
        if isPlain { await screen.update() }
        async let _ = update(screen)
        async let _ = keepTime { await screen.keepTime() }
        async let _ = leaveAtEnd { screen.refresh.leave() }
        let ending: TerminalEnding<Shown.Choice> = await loop.run(refreshing: screen.refresh) { columns in
            screen.frame(columns: columns)
        } handling: { action in
            guard await !person.session.hasEnded() else { return .leave }
            let step = screen.handle(action)
            // A terminal without keys shows no new frame until the next line, so it waits for the result first.
            if isPlain { await screen.work.settle() }
            return step
        }
        // The next start continues with the time that was shown last.
        await list.keepTime(atOnce: true)
        return ending.valueOrDie()
    }

    /// Asks for confirmation before something is deleted.
    ///
    /// - Parameter options: to keep it, and to delete it.
    /// - Returns: whether the user has chosen to delete it.
    private func confirm(_ question: String, _ options: [String]) async -> Bool {
        let refresh = ScreenRefresh()
        async let _ = keepTime { await list.keepTime() }
        async let _ = leaveAtEnd { refresh.leave() }
        let menu = TerminalMenu(port: terminal, environment: person.terminal, messages: person.messages)
        let choice = await menu.choose(
            title: question, options: options, goesBack: true, refreshing: refresh)
        return choice.valueOrDie() == 1
    }

    /// Shows the form until the game is created, or the user leaves it. If anything else ends it, its names are kept as a
    /// draft, with which the form begins the next time. A draft is only discarded if the user confirms it.
    ///
    /// - Returns: whether a draft was kept.
    private func create() async -> Bool {
        let draft = await store.draft()
        let prompt = FormPrompt(
            form: GameForm.form(draft.isEmpty ? "New game" : "New game, as you left it"), port: terminal,
            environment: person.terminal, messages: person.messages, present: draft.mapValues { .text($0) },
            goesBack: true)
        // The clocks continue while the user types names.
        async let _ = keepTime { await list.keepTime() }
        async let _ = leaveAtEnd { await prompt.leave() }
        let ending = await prompt.run { answers in
            guard let draft = GameForm.draft(of: answers) else { return nil }
            return await save(draft, in: prompt)
        }
        let state = await person.session.state()
        var isKept = false
        switch ending {
        case .finished: if !draft.isEmpty { try? await store.keep([:]) }
        case .left where state == .live && draft.isEmpty: break
        case .left, .killed, .hungUp: isKept = await keep(await prompt.draft)
        }
        ending.valueOrDie()
        if isKept, state == .live, await confirm("Keep these names for later?", ["Keep them", "Discard them"]) {
            isKept = await keep([:])
        }
        return isKept
    }

    /// Stores names as a draft, or reports that they are lost.
    ///
    /// - Returns: whether there are names, and they were stored.
    private func keep(_ names: [FieldKey: String]) async -> Bool {
        let hasNames = names.values.contains { !$0.isEmpty }
        do throws(StoreError) {
            try await store.keep(hasNames ? names : [:])
            return hasNames
        } catch {
            let typed = GameForm.form().fields.compactMap { names[$0.apiKey] }.filter { !$0.isEmpty }
            guard !typed.isEmpty else { return false }
            print(store.sentence(for: error))
            print("Not kept as a draft: " + TerminalEscaper.visible(typed.joined(separator: ", ")))
            return false
        }
    }

    /// - Returns: why the game was not created; nil closes the form.
    private func save(_ draft: GameDraft, in prompt: FormPrompt) async -> AlertViewModel? {
        guard await !person.session.hasEnded() else {
            await prompt.leave()
            return AlertViewModel(title: "The session has ended")
        }
        return await list.create(draft).map { AlertViewModel(title: $0) }
    }

    /// Reads the model of a screen repeatedly until the task is cancelled.
    private func update(_ screen: some Screen) async {
        while !Task.isCancelled {
            // Not awaited, because the clock continues while a read is blocked.
            Task { await screen.update() }
            try? await Task.sleep(for: screen.isFast ? Self.shortInterval : Self.interval)
        }
    }

    /// Stores the time of running clocks repeatedly until the task is cancelled.
    private func keepTime(_ keep: @MainActor () async -> Void) async {
        while !Task.isCancelled {
            await keep()
            try? await Task.sleep(for: Self.interval)
        }
    }

    /// Ends what is on the screen when the session has ended, unless the task is cancelled before.
    private func leaveAtEnd(_ leave: @MainActor () async -> Void) async {
        if await person.session.waitForEnd() { await leave() }
    }
}
