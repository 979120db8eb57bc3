import LatchkeyForms
import LatchkeySecrets
import LatchkeyTerminal
import LatchkeyTesting
import Testing

@testable import scoreboard

@MainActor @Suite(.timeLimit(.minutes(60))) struct GameScreenTests {
    /// Types keys as a terminal sends them, and waits for the work that they start. Returns the step of each key.
    private func press<Shown: Screen>(_ keys: String, on screen: Shown) async -> [ScreenLoop.Step<Shown.Choice>] {
        var actions: [Action] = []
        var decoder = KeyDecoder()
        decoder.decode(keys.utf8Span.span) { action in
            // Each typed character is an action, as in `ScreenLoop`.
            if case .insert = action, let text = action.text {
                actions += text.map { .insert(Secret(String($0))) }
            } else {
                actions.append(action)
            }
        }
        decoder.finish { actions.append($0) }
        var steps: [ScreenLoop.Step<Shown.Choice>] = []
        for action in actions {
            steps.append(screen.handle(action))
            await screen.work.settle()
        }
        return steps
    }

    @Test func `a game shows the counts of each player`() async throws {
        let arena = try Arena()
        let (model, _) = try await arena.game()
        let screen = GameScreen(model)
        #expect(await press("2a\u{1B}[Bfjj\u{1B}[A1p", on: screen) == Array(repeating: .stay, count: 9))
        await arena.pass(3, in: model)
        try Golden.expect(screen.frame(columns: 60).svg(columns: 60), at: "../../../docs/pictures/scoreboard.svg")
        #expect(
            screen.frame(columns: 60).lines(isUTF8: true) == [
                "Lions 3 : 0 Tigers",
                "9:57",
                "",
                "  player  team    points  1  2  a  r  f",
                "  Ana     Lions        2  0  1  1  0  0",
                "  Bea     Lions        0  0  0  0  0  1",
                "❯ Cleo    Lions        1  1  0  0  0  0",
                "  Xena    Tigers       0  0  0  0  0  0",
                "  Yara    Tigers       0  0  0  0  0  0",
                "  Zoe     Tigers       0  0  0  0  0  0",
                "",
                "j k or arrows: choose   u: take back one point by Cleo", "p: pause   q: back",
                "1 one point   2 two points   a assist   r rebound   f foul",
            ])
    }

    @Test func `on 30 columns and 8 rows, a game shows the selected player and the keys for moves`() async throws {
        let (model, _) = try await Arena().game()
        let screen = GameScreen(model)
        _ = await press("jjj2", on: screen)
        let port = ScriptedTerminal(columns: 30, rows: 8)
        var renderer = Renderer(output: port, environment: TerminalEnvironment())
        renderer.show(screen.frame(columns: 30), size: port.size)
        var shown = VTScreen(columns: 30, rows: 8)
        shown.feed(port.takeOutput())
        #expect(
            shown.lines == [
                "Lions 0 : 2 Tigers", "10:00 paused ↑", "  Cleo  Lio…     0  0  0  0 …",
                "❯ Xena  Tig…     2  0  1  … ↓", "u: take back two points by X…", "p: resume  q: back",
                "1 one point  2 two points", "a assist  r rebound  f foul",
            ])
    }

    @Test func `the screens fit on 80 columns and 24 rows`() async throws {
        let arena = try Arena()
        let (model, store) = try await arena.game()
        let list = GameList(in: store)
        let (game, games) = (GameScreen(model), ListScreen(list, of: "ada"))
        let port = ScriptedTerminal()
        var renderer = Renderer(output: port, environment: TerminalEnvironment())
        var (screen, shown) = (VTScreen(columns: 80, rows: 24), [String]())
        func show(_ frame: Frame) {
            renderer.show(frame, size: port.size)
            screen.feed(port.takeOutput())
            shown.append(screen.text)
        }
        show(games.frame(columns: 80))
        await list.update()
        show(games.frame(columns: 80))
        _ = await press("2f", on: game)
        show(game.frame(columns: 80))
        _ = await press("2222222", on: game)
        show(game.frame(columns: 80))
        try Golden.expect(
            shown.joined(separator: "\n" + String(repeating: "─", count: 80) + "\n") + "\n",
            at: "../../../Tests/Fixtures/frames/scoreboard-80x24.txt")
    }

    @Test func `a finished game shows its box score, and its last move can be taken back`() async throws {
        let (model, _) = try await Arena().game()
        let screen = GameScreen(model)
        _ = await press("22222222", on: screen)
        let lines = screen.frame(columns: 60).lines(isUTF8: true)
        #expect(Array(lines.prefix(2)) == ["Lions 16 : 0 Tigers", "10:00 Lions have won"])
        #expect(
            lines.contains("  all     Lions       16  0  8  0  0  0")
                && lines.contains("  all     Tigers       0  0  0  0  0  0"))
        #expect(!lines.contains { $0.hasPrefix("❯") } && lines.contains("u: take back two points by Ana   q: back"))
        _ = await press("u", on: screen)
        #expect(screen.frame(columns: 60).lines(isUTF8: true)[0] == "Lions 14 : 0 Tigers")
    }

    @Test func `pasted text and longer lines are never commands`() async throws {
        let arena = try Arena()
        let (model, store) = try await arena.game()
        let (game, list) = (GameScreen(model), ListScreen(GameList(in: store), of: "ada"))
        for action in [Action.paste(Secret("2")), .insert(Secret("q2")), .answer(Secret("22")), .answer(Secret("oq"))] {
            #expect(game.handle(action) == .bell && list.handle(action) == .bell)
        }
        await game.work.settle()
        #expect(model.score.value == "Lions 0 : 0 Tigers")
        #expect(game.handle(.answer(Secret("2"))) == .stay && list.handle(.answer(Secret("o"))) == .finish(.logOut))
    }

    /// Shows a screen, and the text that follows each change of a value. No key is pressed until the end.
    private func show<Shown: Screen>(_ screen: Shown, _ changes: [(change: () -> Void, text: String)]) async {
        let port = ScriptedTerminal()
        let loop = ScreenLoop(port: port, environment: TerminalEnvironment())
        let running = Task { () -> TerminalEnding<Shown.Choice> in
            await loop.run(
                refreshing: screen.refresh, frame: { screen.frame(columns: $0) }, handling: { screen.handle($0) })
        }
        await port.expect("q: ")
        for (change, text) in changes {
            change()
            await port.expect(text)
        }
        port.type("q")
        _ = await running.value
    }

    @Test func `each value of a game is shown when it changes`() async {
        let game = ShownGame()
        let (home, away) = (game.players[0], game.players[1])
        var changes: [(() -> Void, String)] = [
            ({ game.score.value = "Lions 5" }, "Lions 5"), ({ game.remainingTime.value = "9:59" }, "9:59"),
            ({ game.state.value = "a break" }, "a break"), ({ game.isPaused.value = true }, "p: resume"),
            ({ game.lastMove.value = "foul by Zoe" }, "u: take back foul by Zoe"),
            ({ game.problem.value = "It failed" }, "It failed"), ({ home.points.value = 1234 }, "1234"),
            ({ away.points.value = 5678 }, "5678"),
        ]
        for (place, move) in Move.allCases.enumerated() {
            changes.append(({ home.counts[move]?.value = 2000 + place }, "\(2000 + place)"))
            changes.append(({ away.counts[move]?.value = 3000 + place }, "\(3000 + place)"))
        }
        changes.append(({ game.isFinished.value = true }, "all"))
        await show(GameScreen(game), changes)
    }

    @Test func `each value of the list is shown when it changes`() async throws {
        let list = GameList(in: try await Arena().store())
        let row = GameList.Row(id: 1, score: "Lions 1", time: "9:59", state: "paused")
        await show(
            ListScreen(list, of: "ada"),
            [
                ({ list.rows.value = [row] }, "Lions 1"), ({ list.problem.value = "It failed" }, "It failed"),
                ({ list.shown.value = .finished }, "Finished games of ada"),
            ])
    }

    @Test func `an action without effect rings the bell`() async throws {
        let (model, _) = try await Arena().game()
        let (screen, port) = (GameScreen(model), ScriptedTerminal(columns: 60))
        let loop = ScreenLoop(port: port, environment: TerminalEnvironment())
        let running = Task { () -> TerminalEnding<Never> in
            await loop.run(
                refreshing: screen.refresh, frame: { screen.frame(columns: $0) }, handling: { screen.handle($0) })
        }
        await port.expect("Lions 0 : 0 Tigers")
        port.type("u")
        await port.expect("\u{7}")
        port.type("q")
        #expect(await running.value == .left)
    }

    @Test func `a line reports that the database is slow, and keys still work`() async throws {
        let (model, _) = try await Arena().game()
        let (slow, done) = (TestGate(), TestGate())
        let screen = GameScreen(model, work: { ScreenWork(refreshing: $0, pausing: { await slow.wait() }) })
        screen.work.begin {
            await done.wait()
            return true
        }
        let sign = "  Waiting for another program, which is writing the file"
        #expect(!screen.frame(columns: 80).lines(isUTF8: true).contains(sign))
        slow.open()
        while !screen.work.isSlow { await Task.yield() }
        #expect(screen.frame(columns: 80).lines(isUTF8: true)[2] == sign)
        #expect(screen.handle(.key(.next)) == .stay)
        done.open()
        await screen.work.settle()
        #expect(!screen.frame(columns: 80).lines(isUTF8: true).contains(sign))
    }

    @Test func `an unknown key rings the bell, and no move counts after the end`() async throws {
        let (model, _) = try await Arena().game()
        let screen = GameScreen(model)
        #expect(await press("x", on: screen) == [.bell])
        #expect(await press("22222222", on: screen) == Array(repeating: .stay, count: 8))
        #expect(await press("2p", on: screen) == [.stay, .stay])
        #expect(model.score.value == "Lions 16 : 0 Tigers" && model.isPaused.value)
        #expect(await press("q", on: screen) == [.leave])
    }

    @Test func `line by line, no hint names the arrows`() async throws {
        let (model, store) = try await Arena().game()
        let list = GameList(in: store)
        await list.update()
        let frames = [
            GameScreen(model, isPlain: true).frame(columns: 80),
            ListScreen(list, of: "ada", isPlain: true).frame(columns: 80),
        ]
        for frame in frames {
            let lines = frame.lines(isUTF8: true)
            #expect(lines.contains { $0.hasPrefix("j k: choose") } && !lines.contains { $0.contains("arrows") })
        }
    }

    @Test func `a problem is shown on the screen`() async throws {
        let (model, store) = try await Arena().game()
        let screen = GameScreen(model)
        try await store.set(.readOnly)
        #expect(await press("r", on: screen) == [.stay])
        let lines = screen.frame(columns: 60).lines(isUTF8: true)
        #expect(lines[2].hasPrefix("✗ Not done: "), "above the table, where it is visible on few rows")
    }

    @Test func `the list can open a game, create one and be left`() async throws {
        let arena = try Arena()
        let list = GameList(in: try await arena.store())
        let screen = ListScreen(list, of: "ada")
        #expect(await press("\r", on: screen) == [.bell])
        #expect(screen.frame(columns: 60).lines(isUTF8: true)[2] == "  Reading the games")
        await screen.update()
        #expect(
            screen.frame(columns: 80).lines(isUTF8: true).suffix(3) == [
                "  There are none.", "", "n: new game   f: finished games   o: log out   q: quit",
            ])
        for _ in 0..<2 { #expect(await list.create(.example) == nil) }
        #expect(await press("j\r", on: screen) == [.stay, .finish(.open(list.rows.value[1].id))])
        #expect(
            screen.frame(columns: 60).lines(isUTF8: true).prefix(5) == [
                "Games in progress of ada",
                "",
                "  game                 left",
                "  Lions 0 : 0 Tigers  10:00  paused",
                "❯ Lions 0 : 0 Tigers  10:00  paused",
            ])
        #expect(
            await press("d", on: screen) == [.finish(.delete(list.rows.value[1].id, score: "Lions 0 : 0 Tigers"))])
        screen.delete(list.rows.value[1].id)
        await screen.work.settle()
        #expect(list.rows.value.count == 1)
        #expect(await press("f", on: screen) == [.stay])
        #expect(
            screen.frame(columns: 60).lines(isUTF8: true).prefix(3) == [
                "Finished games of ada", "", "  There are none.",
            ])
        #expect(await press("d", on: screen) == [.bell])
        #expect(
            await press("f", on: screen) == [.stay]
                && screen.frame(columns: 60).lines(isUTF8: true)[0] == "Games in progress of ada")
        #expect(await press("n", on: screen) == [.finish(.create)])
        #expect(await press("o", on: screen) == [.finish(.logOut)])
        #expect(await press("q", on: screen) == [.leave])
    }
}

/// A game whose values a test changes one by one.
private final class ShownGame: GameViewModel {
    let score = Dynamic("Lions 0")
    let remainingTime = Dynamic("10:00")
    let lastMove = Dynamic<String?>(nil)
    let isPaused = Dynamic(false)
    let isFinished = Dynamic(false)
    let state = Dynamic("")
    let problem = Dynamic<String?>(nil)
    let players = [ShownPlayer(), ShownPlayer()]
    let isLastMinute = false

    var homePlayers: [any PlayerViewModel] { [players[0]] }
    var awayPlayers: [any PlayerViewModel] { [players[1]] }

    func togglePause() async -> Bool { false }
    func takeBack() async -> Bool { false }
    func keepTime() async {}
    func update() async {}
}

private final class ShownPlayer: PlayerViewModel {
    let name = "Ana"
    let team = "Lions"
    let points = Dynamic(0)
    let counts = Dictionary(uniqueKeysWithValues: Move.allCases.map { ($0, Dynamic(0)) })

    func count(of move: Move) -> Dynamic<Int> { counts[move] ?? Dynamic(0) }
    func record(_ move: Move) async -> Bool { false }
}
