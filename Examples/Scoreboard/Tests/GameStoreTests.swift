import LatchkeyAccounts
import LatchkeyForms
import LatchkeySQLite
import LatchkeyTesting
import Testing

@testable import scoreboard

/// Uses a real file.
@Suite(.timeLimit(.minutes(60))) struct GameStoreTests {
    private let seat = Seat(side: .away, place: 1)

    @Test func `a game is stored with its moves`() async throws {
        let arena = try Arena()
        let id = try await arena.store().create(.example)
        var expected = Game.example
        for move in Move.allCases + [.twoPoints] {
            _ = expected.record(move, by: seat, at: 0)
            let change = try await arena.store().change(id) { [seat] game, now in game.record(move, by: seat, at: now) }
            #expect(change?.isDone == true)
        }
        let game = try #require(try await arena.store().game(id))
        #expect((game.home, game.away, game.clock) == (expected.home, expected.away, expected.clock))
        #expect(game.revision == 6)
    }

    @Test func `a draft belongs to its account, and is replaced`() async throws {
        let arena = try Arena()
        let store = try await arena.store(of: "ada")
        #expect(await store.draft().isEmpty)
        try await store.keep(["home": "Lions", "away": "Tigers"])
        try await store.keep(["home": "Bears"])
        #expect(try await arena.store(of: "ada").draft() == ["home": "Bears"])
        #expect(try await arena.store(of: "eve").draft().isEmpty)
        try await store.keep([:])
        #expect(await store.draft().isEmpty)
    }

    @Test func `an account sees and changes only its own games`() async throws {
        let arena = try Arena()
        let id = try await arena.store(of: "ada").create(.example)
        let other = try await arena.store(of: "eve")
        #expect(try await other.gamesInProgress().isEmpty)
        #expect(try await other.game(id) == nil)
        let change = try await other.change(id) { game, now in game.togglePause(at: now) }
        #expect(change == nil)
        #expect(try await arena.store(of: "ada").game(id)?.clock.isRunning == false)
    }

    @Test func `a finished game is no longer in progress, but remains stored`() async throws {
        let arena = try Arena()
        let store = try await arena.store()
        let ids = [try await store.create(.example), try await store.create(.example)]
        for _ in 0..<8 {
            _ = try await store.change(ids[0]) { [seat] game, now in game.record(.twoPoints, by: seat, at: now) }
        }
        #expect(try await store.gamesInProgress().map(\.id) == [ids[1]])
        #expect(try await store.game(ids[0])?.isOver == true)
    }

    @Test func `the moves of two concurrent processes are all counted`() async throws {
        let arena = try Arena()
        let first = try await arena.store()
        let second = try await arena.store()
        let id = try await first.create(.example)
        await withTaskGroup { group in
            for store in [first, second] {
                group.addTask {
                    for _ in 0..<10 {
                        _ = try? await store.change(id) { [seat] game, now in game.record(.rebound, by: seat, at: now) }
                    }
                }
            }
        }
        #expect(try await first.game(id)?.player(seat).count(of: .rebound) == 20)
    }

    // MARK: Time

    @Test func `the clock continues in every process, and each of them stores it`() async throws {
        let arena = try Arena()
        let (model, store) = try await arena.game()
        let other = try #require(try await arena.store().gamesInProgress().first)
        #expect(await model.togglePause())
        await arena.pass(7, in: model)
        #expect(try await arena.store().game(other.id)?.clock.remaining == GameClock.whole - 7_000)
        // If the process were killed now, the file would lose at most one interval.
        let written = try await store.database.read { (connection) throws(SQLiteError) in
            try connection.game(other.id, of: "ada")
        }
        #expect(try #require(written).clock.remaining <= GameClock.whole - 7_000 + GameStore.beat)
    }

    @Test func `the clock of a game pauses if no program runs`() async throws {
        let arena = try Arena()
        let (model, _) = try await arena.game()
        #expect(await model.togglePause())
        await arena.pass(6, in: model)
        // The program is closed or suspended for a day.
        arena.clock.advance(by: .seconds(86_400))
        let store = try await arena.store()
        let game = try #require(try await store.gamesInProgress().first)
        #expect(!game.clock.isRunning)
        #expect((GameClock.whole - 6_000...GameClock.whole - 3_000).contains(game.clock.remaining))
        await model.update()
        #expect(model.isPaused.value)
        #expect(await model.togglePause())
        #expect(!model.isPaused.value)
    }

    // MARK: Faults

    @Test func `a file that is not a database is refused and not changed`() async throws {
        let arena = try Arena()
        try arena.folder.write(Array("not a database, though long enough to be one".utf8), to: "scoreboard.sqlite")
        await #expect(throws: StoreError.notAStore) { _ = try await arena.store() }
        #expect(try arena.folder.read("scoreboard.sqlite").starts(with: "not a".utf8))
    }

    @Test func `a missing player is reported as damage`() async throws {
        let arena = try Arena()
        let store = try await arena.store()
        let id = try await store.create(.example)
        _ = try await store.database.write { (connection) throws(SQLiteError) in
            try connection.run("DELETE FROM player WHERE game = ?1 AND side = 1 AND place = 2", .integer(id))
        }
        await #expect(throws: StoreError.corrupt) { _ = try await store.game(id) }
    }
}
