import Dispatch
import LatchkeyForms
import LatchkeySQLite
import LatchkeyTesting
import Testing

@testable import scoreboard

@Suite(.timeLimit(.minutes(60))) struct StoredGameTests {
    @Test func `a move notifies the bindings of the values that it changes`() async throws {
        let (model, _) = try await Arena().game()
        let received = Notifications()
        let player = model.awayPlayers[0]
        let tokens = [
            model.score.bind(to: received) { $0.texts.append($1) },
            player.points.bind(to: received) { $0.texts.append("\($1) points") },
            player.count(of: .assist).bind(to: received) { $0.texts.append("\($1) assists") },
            model.homePlayers[0].points.bind(to: received) { $0.texts.append("home \($1)") },
            model.state.bind(to: received) { received, _ in received.texts.append("state") },
        ]
        #expect(await player.record(.assist))
        #expect(await player.record(.twoPoints))
        #expect(await player.record(.foul))
        #expect(Set(received.texts) == ["1 assists", "2 points", "Lions 0 : 2 Tigers"])
        #expect(received.texts.count == 3)
        #expect(player.count(of: .foul).value == 1)
        withExtendedLifetime(tokens) {}
    }

    @Test func `pausing, resuming and the passing of time notify bindings`() async throws {
        let arena = try Arena()
        let (model, _) = try await arena.game()
        #expect((model.isPaused.value, model.remainingTime.value, model.state.value) == (true, "10:00", "paused"))
        #expect(await model.togglePause())
        #expect((model.isPaused.value, model.state.value) == (false, ""))
        await arena.pass(61, in: model)
        #expect(model.remainingTime.value == "8:59")
        #expect(await model.togglePause())
        await arena.pass(5, in: model)
        #expect((model.isPaused.value, model.remainingTime.value) == (true, "8:59"))
    }

    @Test func `the end of a game notifies bindings, and later moves do not count`() async throws {
        let (model, _) = try await Arena().game()
        _ = await model.togglePause()
        for _ in 0..<7 { #expect(await model.homePlayers[1].record(.twoPoints)) }
        #expect(!model.isFinished.value)
        #expect(await model.homePlayers[2].record(.onePoint))
        #expect((model.isFinished.value, model.isPaused.value, model.state.value) == (true, true, "Lions have won"))
        #expect(await !model.awayPlayers[0].record(.twoPoints))
        #expect(await !model.togglePause())
        #expect(model.score.value == "Lions 15 : 0 Tigers")
        #expect(model.awayPlayers[0].count(of: .twoPoints).value == 0)
        #expect(model.problem.value == nil)
    }

    @Test func `a move by another process appears at the next update`() async throws {
        let arena = try Arena()
        let (model, _) = try await arena.game()
        let elsewhere = GameList(in: try await arena.store())
        await elsewhere.update()
        let same = try #require(await elsewhere.open(elsewhere.rows.value[0].id))
        #expect(await same.homePlayers[0].record(.twoPoints))
        #expect(model.score.value == "Lions 0 : 0 Tigers")
        await model.update()
        #expect(model.score.value == "Lions 2 : 0 Tigers")
    }

    @Test func `a late update does not revert a move`() async throws {
        let (model, store) = try await Arena().game()
        let look = try #require(try await store.gamesInProgress().first)
        #expect(await model.homePlayers[0].record(.twoPoints))
        model.show(look)
        #expect(model.score.value == "Lions 2 : 0 Tigers")
    }

    @Test func `moves are taken back one by one, including those of another window`() async throws {
        let arena = try Arena()
        let (model, store) = try await arena.game()
        #expect(await !model.takeBack() && model.lastMove.value == nil)
        #expect(await model.homePlayers[0].record(.twoPoints))
        let other = StoredGame(try #require(try await store.gamesInProgress().first), in: try await arena.store())
        #expect(await other.awayPlayers[2].record(.foul))
        #expect(await !model.takeBack(), "the screen shows another one")
        #expect(model.homePlayers[0].points.value == 2)
        await model.update()
        #expect(model.lastMove.value == "foul by Zoe")
        #expect(await model.takeBack() && model.lastMove.value == "two points by Ana")
        #expect(await model.takeBack() && model.lastMove.value == nil)
        #expect(await !model.takeBack())
        #expect(model.score.value == "Lions 0 : 0 Tigers" && model.awayPlayers[2].count(of: .foul).value == 0)
    }

    @Test func `taking back the last point reopens a finished game`() async throws {
        let (model, store) = try await Arena().game()
        for _ in 0..<8 { #expect(await model.homePlayers[1].record(.twoPoints)) }
        #expect(model.isFinished.value)
        #expect(await model.takeBack())
        #expect((model.isFinished.value, model.isPaused.value) == (false, true))
        #expect(try await store.gamesInProgress().count == 1)
        #expect(try await store.finishedGames().isEmpty)
    }

    @Test func `the shown time never goes up`() async throws {
        let arena = try Arena()
        let (model, store) = try await arena.game()
        #expect(await model.togglePause())
        let early = try #require(try await store.gamesInProgress().first)
        for _ in 0..<4 {
            arena.clock.advance(by: .milliseconds(500))
            await model.update()
        }
        #expect(model.remainingTime.value == "9:58")
        model.show(early)
        #expect(model.remainingTime.value == "9:58", "a read that arrives late")
        // The program was suspended before the time was stored.
        arena.clock.advance(by: .seconds(86_400))
        await model.update()
        #expect((model.remainingTime.value, model.isPaused.value) == ("9:58", true))
        #expect(await model.togglePause())
        arena.clock.advance(by: .seconds(1))
        await model.update()
        #expect(model.remainingTime.value == "9:57")
        #expect(try await arena.store().gamesInProgress().first?.clock.remaining == 597_000)
    }

    @Test func `a deleted game is reported in another window, and its id is not used again`() async throws {
        let arena = try Arena()
        let (model, store) = try await arena.game()
        let id = try #require(try await store.gamesInProgress().first?.id)
        try await store.set(.readOnly)
        #expect(await !model.homePlayers[0].record(.twoPoints))
        #expect(model.problem.value?.hasPrefix("Not done: ") == true)
        try await store.set(.fine)
        #expect(try await arena.store().delete(id))
        let gone = "This game was deleted in another window. Go back to the list"
        await model.update()
        #expect(model.problem.value == gone, "it is more important than the action that was not done")
        #expect(await !model.homePlayers[0].record(.twoPoints))
        #expect(model.problem.value == gone)
        let next = try await store.create(.example)
        #expect(next == id + 1)
        #expect(await !model.homePlayers[0].record(.twoPoints))
        #expect(try await store.game(next)?.home.points == 0)
    }

    @MainActor @Test func `the clock continues while a read is blocked`() async throws {
        let arena = try Arena()
        let (model, store) = try await arena.game()
        #expect(await model.togglePause())
        let (began, goesOn) = (TestGate(), DispatchSemaphore(value: 0))
        let holder = Task {
            try await store.database.read { (_) throws(SQLiteError) in
                began.open()
                goesOn.wait()
            }
        }
        await began.wait()
        let reading = Task { await model.update() }
        while !model.isReading { await Task.yield() }
        arena.clock.advance(by: .seconds(2))
        await model.update()
        #expect(model.remainingTime.value == "9:58")
        goesOn.signal()
        await reading.value
        try await holder.value
        #expect(model.remainingTime.value == "9:58" && !model.isReading)
    }

    @Test func `tenths are shown in the last minute of a running clock`() async throws {
        let arena = try Arena()
        let (model, _) = try await arena.game()
        #expect(await model.togglePause() && !model.isLastMinute)
        await arena.pass(559, in: model)
        arena.clock.advance(by: .milliseconds(250))
        await model.update()
        #expect(model.remainingTime.value == "0:40.8" && model.isLastMinute)
        #expect(await model.togglePause() && !model.isLastMinute)
    }

    @Test func `a move that cannot be stored is reported and does not change the score`() async throws {
        let (model, store) = try await Arena().game()
        #expect(await model.homePlayers[0].record(.onePoint))
        try await store.set(.readOnly)
        #expect(await !model.homePlayers[0].record(.onePoint))
        #expect(model.score.value == "Lions 1 : 0 Tigers")
        let problem = try #require(model.problem.value)
        #expect(problem.hasPrefix("Not done: ") && problem.hasSuffix("is read-only. Check its permissions"))
        // The problem remains after a successful update, and disappears with the next successful move.
        await model.update()
        #expect(model.problem.value == problem)
        try await store.set(.fine)
        #expect(await model.homePlayers[0].record(.onePoint))
        #expect((model.score.value, model.problem.value) == ("Lions 2 : 0 Tigers", nil))
    }

    @Test func `a locked database is reported until it is unlocked`() async throws {
        let arena = try Arena()
        let (model, store) = try await arena.game()
        try await store.set(.impatient)
        let lock = try DatabaseLock(of: arena.path)
        #expect(await !model.homePlayers[0].record(.onePoint))
        #expect(try #require(model.problem.value).hasPrefix("Not done: Another program is writing "))
        lock.release()
        #expect(await model.homePlayers[0].record(.onePoint))
        #expect((model.score.value, model.problem.value) == ("Lions 1 : 0 Tigers", nil))
    }
}

/// The notifications that a listener received.
private final class Notifications {
    var texts: [String] = []
}
