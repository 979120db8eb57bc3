import LatchkeyForms
import LatchkeySQLite
import LatchkeyTesting
import Testing

@testable import scoreboard

@Suite(.timeLimit(.minutes(60))) struct GameListTests {
    @Test func `the list shows games that another window creates, plays and finishes`() async throws {
        let arena = try Arena()
        let mine = GameList(in: try await arena.store())
        let theirs = GameList(in: try await arena.store())
        await mine.update()
        #expect(mine.rows.value.isEmpty)
        #expect(await theirs.create(.example) == nil)
        await mine.update()
        #expect(mine.rows.value.map(\.score) == ["Lions 0 : 0 Tigers"])
        let game = try #require(await theirs.open(theirs.rows.value[0].id))
        #expect(await game.togglePause())
        arena.clock.advance(by: .seconds(3))
        #expect(await game.homePlayers[0].record(.twoPoints))
        await mine.update()
        let row = try #require(mine.rows.value.first)
        #expect([row.score, row.time, row.state] == ["Lions 2 : 0 Tigers", "9:57", ""])
        for _ in 0..<7 { #expect(await game.homePlayers[0].record(.twoPoints)) }
        await mine.update()
        #expect(mine.rows.value.isEmpty)
    }

    @Test func `the time in the list never goes up, and is stored when the screen closes`() async throws {
        let arena = try Arena()
        let list = GameList(in: try await arena.store())
        #expect(await list.create(.example) == nil)
        let game = try #require(await list.open(list.rows.value[0].id))
        #expect(await game.togglePause())
        arena.clock.advance(by: .seconds(2))
        await list.update()
        #expect(list.rows.value.map(\.time) == ["9:58"])
        // The program was suspended for a day before the time was stored.
        arena.clock.advance(by: .seconds(86_400))
        await list.update()
        #expect(list.rows.value.map(\.time) == ["9:58"] && list.rows.value[0].state == "paused")
        #expect(await game.togglePause())
        arena.clock.advance(by: .seconds(2))
        await list.keepTime(atOnce: true)
        arena.clock.advance(by: .seconds(86_400))
        let later = try #require(try await arena.store().gamesInProgress().first)
        #expect(later.clock.remaining == GameClock.whole - 4_000)
    }

    @Test func `an update without changes sends no notification`() async throws {
        let arena = try Arena()
        let list = GameList(in: try await arena.store())
        #expect(await list.create(.example) == nil)
        let count = Count()
        let token = list.rows.bind(to: count) { count, _ in count.value += 1 }
        for _ in 0..<3 { await list.update() }
        #expect(count.value == 0)
        withExtendedLifetime(token) {}
    }

    @Test func `a game that cannot be created is reported`() async throws {
        let arena = try Arena()
        let store = try await arena.store()
        let list = GameList(in: store)
        try await store.set(.full)
        var (problem, made) = (String?.none, 0)
        while problem == nil, made < 500 {
            problem = await list.create(.example)
            made += 1
        }
        #expect(list.rows.value.count == made - 1)
        let why = try #require(problem)
        #expect(why.hasPrefix("The game was not created: ") && why.hasSuffix("is full. Free some space and try again"))
        try await store.set(.fine)
        #expect(await list.create(.example) == nil)
        #expect(list.rows.value.count == made)
    }

    @Test func `finished games are listed, newest first, and can be deleted`() async throws {
        let arena = try Arena()
        let store = try await arena.store()
        let list = GameList(in: store)
        var ids: [Game.ID] = []
        for points in [8, 9] {
            #expect(await list.create(.example) == nil)
            let id = try #require(list.rows.value.last?.id)
            ids.append(id)
            let game = try #require(await list.open(id))
            for _ in 0..<points - 8 { #expect(await game.awayPlayers[0].record(.onePoint)) }
            for _ in 0..<8 { #expect(await game.homePlayers[0].record(.twoPoints)) }
        }
        await list.update()
        #expect(list.rows.value.isEmpty)
        await list.toggle()
        #expect(list.rows.value.map(\.score) == ["Lions 16 : 1 Tigers", "Lions 16 : 0 Tigers"])
        let row = list.rows.value[0]
        #expect(row.time.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil && row.state == "Lions have won")
        #expect(await list.open(row.id)?.homePlayers[0].points.value == 16)
        await list.delete(row.id)
        #expect(list.rows.value.map(\.id) == [ids[0]])
        await list.delete(row.id)
        #expect(list.problem.value == nil, "it is gone already")
        let eve = GameList(in: try await arena.store(of: "eve"))
        await eve.delete(ids[0])
        await list.update()
        #expect(list.rows.value.map(\.id) == [ids[0]], "only its owner deletes a game")
        try await store.set(.readOnly)
        await list.delete(ids[0])
        #expect(try #require(list.problem.value).hasPrefix("The game was not deleted: "))
        let left = try await store.database.read { (connection) throws(SQLiteError) in
            try connection.rows("SELECT (SELECT count(*) FROM player), (SELECT count(*) FROM move)") {
                (row) throws(SQLiteError) in [try row.integer(0), try row.integer(1)]
            }
        }
        #expect(left == [[6, 8]])
    }

    @Test func `games in a read-only database can be viewed`() async throws {
        let arena = try Arena()
        let store = try await arena.store()
        let list = GameList(in: store)
        #expect(await list.create(.example) == nil)
        let game = try #require(await list.open(list.rows.value[0].id))
        #expect(await game.togglePause())
        try await store.set(.readOnly)
        arena.clock.advance(by: .seconds(4))
        await list.update()
        await list.keepTime()
        #expect(list.rows.value.map(\.time) == ["9:56"])
        #expect(try #require(list.problem.value).hasSuffix("is read-only. Check its permissions"))
        try await store.set(.fine)
        await list.keepTime()
        #expect(list.problem.value == nil)
    }

    @Test func `the game of another account cannot be opened`() async throws {
        let arena = try Arena()
        let id = try await arena.store(of: "eve").create(.example)
        #expect(await GameList(in: try await arena.store(of: "ada")).open(id) == nil)
    }
}

private final class Count {
    var value = 0
}
