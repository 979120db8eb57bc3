import LatchkeyForms
import LatchkeyTesting
import Testing

@testable import scoreboard

@Suite struct GameListTests {
    @Test func `the list follows games that others create, play and finish`() async throws {
        let arena = try Arena()
        let mine = GameList(in: try await arena.store())
        let theirs = GameList(in: try await arena.store())
        await mine.update()
        #expect(mine.rows.value.isEmpty)
        await theirs.create(.example)
        await mine.update()
        #expect(mine.rows.value.map(\.score) == ["Lions 0 : 0 Tigers"])
        let game = try #require(await theirs.open(theirs.rows.value[0].id))
        #expect(await game.togglePause())
        arena.clock.advance(by: .seconds(3))
        #expect(await game.homePlayers[0].record(.twoPoints))
        await mine.update()
        let row = try #require(mine.rows.value.first)
        #expect([row.score, row.remainingTime, row.state] == ["Lions 2 : 0 Tigers", "9:57", ""])
        for _ in 0..<7 { #expect(await game.homePlayers[0].record(.twoPoints)) }
        await mine.update()
        #expect(mine.rows.value.isEmpty)
    }

    @Test func `unchanged values send no notification`() async throws {
        let arena = try Arena()
        let list = GameList(in: try await arena.store())
        await list.create(.example)
        let count = Count()
        let token = list.rows.bind(to: count) { count, _ in count.value += 1 }
        for _ in 0..<3 { await list.update() }
        #expect(count.value == 0)
        withExtendedLifetime(token) {}
    }

    @Test func `a game that cannot be created keeps its names until it can`() async throws {
        let arena = try Arena()
        let store = try await arena.store()
        let list = GameList(in: store)
        try await store.set(.full)
        var made = 0
        while list.failedDraft.value == nil, made < 500 {
            await list.create(.example)
            made += 1
        }
        #expect(list.failedDraft.value == .example)
        #expect(list.rows.value.count == made - 1)
        let problem = try #require(list.problem.value)
        #expect(problem.hasPrefix("The game is not made: ") && problem.hasSuffix("is full. Nothing was changed"))
        try await store.set(.fine)
        await list.create(.example)
        #expect((list.failedDraft.value, list.problem.value) == (nil, nil))
        #expect(list.rows.value.count == made)
    }

    @Test func `games can be viewed in a read-only database`() async throws {
        let arena = try Arena()
        let store = try await arena.store()
        let list = GameList(in: store)
        await list.create(.example)
        let game = try #require(await list.open(list.rows.value[0].id))
        #expect(await game.togglePause())
        try await store.set(.readOnly)
        arena.clock.advance(by: .seconds(4))
        await list.update()
        #expect(list.rows.value.map(\.remainingTime) == ["9:56"])
        #expect(try #require(list.problem.value).hasSuffix("is read-only"))
        try await store.set(.fine)
        await list.update()
        #expect(list.problem.value == nil)
    }

    @Test func `a game of another account does not open`() async throws {
        let arena = try Arena()
        let id = try await arena.store(of: "eve").create(.example)
        #expect(await GameList(in: try await arena.store(of: "ada")).open(id) == nil)
    }
}

private final class Count {
    var value = 0
}
