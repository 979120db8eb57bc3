import LatchkeyForms
import LatchkeyTerminal
import LatchkeyTesting
import Testing

@testable import scoreboard

@Suite struct GameScreenTests {
    /// Types keys as a terminal sends them. Returns the step of each.
    private func press<Shown: Screen>(_ keys: String, on screen: Shown) async -> [ScreenLoop.Step<Shown.Choice>] {
        var actions: [Action] = []
        var decoder = KeyDecoder()
        decoder.decode(keys.utf8Span.span) { actions.append($0) }
        decoder.finish { actions.append($0) }
        var steps: [ScreenLoop.Step<Shown.Choice>] = []
        for action in actions { steps.append(await screen.handle(action)) }
        return steps
    }

    @Test func `a game shows the counts of each player`() async throws {
        let arena = try Arena()
        let (model, _) = try await arena.game()
        let screen = GameScreen(model)
        #expect(await press("2a\u{1B}[Bfjj\u{1B}[A1p", on: screen) == [.stay, .stay, .stay, .stay, .stay])
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
                "1 one point   2 two points   a assist   r rebound   f foul",
                "j k or arrows: choose   p: pause   q: back",
            ])
    }

    @Test func `a key without effect rings the bell, and so does a move after the end`() async throws {
        let (model, _) = try await Arena().game()
        let screen = GameScreen(model)
        #expect(await press("x", on: screen) == [.bell])
        #expect(await press("22222222", on: screen) == [.stay])
        #expect(await press("2", on: screen) == [.bell])
        #expect(await press("p", on: screen) == [.bell])
        let lines = screen.frame(columns: 60).lines(isUTF8: true)
        #expect(lines[1] == "10:00 Lions have won")
        #expect(lines.last == "q: back")
        #expect(await press("q", on: screen) == [.leave])
    }

    @Test func `a problem is shown on the screen`() async throws {
        let (model, store) = try await Arena().game()
        let screen = GameScreen(model)
        try await store.set(.readOnly)
        #expect(await press("r", on: screen) == [.bell])
        let lines = screen.frame(columns: 60).lines(isUTF8: true)
        #expect(lines.contains { $0.hasPrefix("✗ Not done: ") })
    }

    @Test func `the list opens a game, creates one, and leaves`() async throws {
        let arena = try Arena()
        let list = GameList(in: try await arena.store())
        let screen = ListScreen(list, of: "ada")
        #expect(await press("\r", on: screen) == [.bell])
        #expect(screen.frame(columns: 60).lines(isUTF8: true)[2] == "  There are none.")
        for _ in 0..<2 { await list.create(.example) }
        #expect(await press("j\r", on: screen) == [.stay, .finish(.open(list.rows.value[1].id))])
        #expect(
            screen.frame(columns: 60).lines(isUTF8: true).prefix(5) == [
                "Games in progress of ada",
                "",
                "  game                 left",
                "  Lions 0 : 0 Tigers  10:00  paused",
                "❯ Lions 0 : 0 Tigers  10:00  paused",
            ])
        #expect(await press("n", on: screen) == [.finish(.create)])
        #expect(await press("o", on: screen) == [.finish(.logOut)])
        #expect(await press("q", on: screen) == [.leave])
    }
}
