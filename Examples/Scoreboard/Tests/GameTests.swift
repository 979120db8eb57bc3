import LatchkeyTesting
import Testing

@testable import scoreboard

@Suite(.timeLimit(.minutes(60))) final class GameTests {
    private var game = Game.example
    private let home = Seat(side: .home, place: 0)
    private let away = Seat(side: .away, place: 2)

    private func score(_ points: Int, by seat: Seat) {
        for _ in 0..<points { _ = game.record(.onePoint, by: seat, at: 0) }
    }

    @Test func `one-point and two-point moves add to the score, and other moves do not`() {
        for move in Move.allCases { _ = game.record(move, by: home, at: 0) }
        #expect(Move.allCases.map { game.player(home).count(of: $0) } == [1, 1, 1, 1, 1])
        #expect((game.home.points, game.away.points) == (3, 0))
        #expect(game.player(away) == Player(name: "Zoe"))
    }

    @Test func `a game ends at fifteen points with a lead of two`() {
        score(13, by: away)
        score(14, by: home)
        #expect(!game.isOver)
        score(1, by: home)
        #expect(game.isOver)
        #expect(game.leader?.name == "Lions")
    }

    @Test func `a game with fifteen points and a lead of one continues`() {
        score(14, by: away)
        score(15, by: home)
        #expect(!game.isOver)
        score(2, by: away)
        #expect(!game.isOver)
        let isCounted = game.record(.twoPoints, by: home, at: 0)
        #expect(isCounted)
        #expect(!game.isOver)
        score(1, by: home)
        #expect(game.isOver)
    }

    @Test func `no move counts after the end, and the clock is paused`() {
        let isStarted = game.togglePause(at: 0)
        #expect(isStarted)
        _ = game.record(.onePoint, by: home, at: 1_000)
        for _ in 0..<7 { _ = game.record(.twoPoints, by: home, at: 2_000) }
        #expect(game.isOver)
        #expect(!game.clock.isRunning)
        let end = game
        let counted = Move.allCases.filter { game.record($0, by: away, at: 3_000) }
        #expect(counted.isEmpty)
        let isResumed = game.togglePause(at: 4_000)
        #expect(!isResumed)
        game.update(at: 5_000)
        #expect(game == end)
        #expect(game.clock.remaining == GameClock.whole - 2_000)
    }

    @Test func `when the time is up, the leading team wins`() {
        score(1, by: away)
        game.run(for: GameClock.whole)
        #expect(game.isOver)
        #expect(game.leader?.name == "Tigers")
        let isCounted = game.record(.onePoint, by: home, at: 0)
        #expect(!isCounted)
    }

    @Test func `if the scores are equal when the time is up, the next point wins`() {
        game.run(for: GameClock.whole)
        #expect(!game.isOver)
        let isStarted = game.togglePause(at: 0)
        #expect(!isStarted)
        let isCounted = game.record(.foul, by: home, at: 0)
        #expect(isCounted)
        #expect(!game.isOver)
        score(1, by: away)
        #expect(game.isOver)
    }

    @Test func `the last move can be taken back, even if it ended the game`() {
        let isThereOne = game.takeBack(number: 0, at: 0)
        #expect(!isThereOne)
        let isStarted = game.togglePause(at: 0)
        for _ in 0..<7 { _ = game.record(.twoPoints, by: home, at: 0) }
        let before = game
        _ = game.record(.twoPoints, by: away, at: 0)
        let isTooEarly = game.takeBack(number: 7, at: 0)
        #expect(!isTooEarly, "the user has not seen the eighth")
        let isBack = game.takeBack(number: 8, at: 0)
        #expect(isStarted && isBack && game.home == before.home && game.away == before.away)
        #expect(game.moveCount == before.moveCount && game.clock.isRunning)
        _ = game.record(.onePoint, by: home, at: 1_000)
        #expect(game.isOver)
        let isReopened = game.takeBack(number: 8, at: 2_000)
        #expect(isReopened && !game.isOver && !game.clock.isRunning && game.home.points == 14)
        #expect(game.clock.remaining == GameClock.whole - 1_000, "the time stays gone")
        #expect(game.player(home).count(of: .onePoint) == 0)
    }

    @Test func `moves count while the clock is paused`() {
        #expect(!game.clock.isRunning)
        score(1, by: home)
        #expect(game.home.points == 1)
        #expect(game.clock.remaining == GameClock.whole)
    }

    /// The scores equal the sums of the counted moves after any sequence.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func `the scores are correct after any sequence of moves`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var game = Game.example
        var counted: [Seat: [Move]] = [:]
        var now: Int64 = 0
        var end: Game?
        for _ in 0..<Int.random(in: 0..<120, using: &random) {
            now += Int64.random(in: -2_000...12_000, using: &random)
            let before = game.clock.remaining
            if Int.random(in: 0..<5, using: &random) == 0 {
                let isDone = game.togglePause(at: now)
                #expect(isDone == !(game.isOver || game.clock.isUp))
            } else {
                let move = Move.allCases.randomElement(using: &random) ?? .foul
                let seat = Seat.all.randomElement(using: &random) ?? home
                if game.record(move, by: seat, at: now) { counted[seat, default: []].append(move) }
            }
            #expect((0...before).contains(game.clock.remaining))
            #expect(before - game.clock.remaining <= GameClock.longestGap)
            if let end { #expect(game == end) }
            if game.isOver { end = game }
        }
        for seat in Seat.all {
            let moves = counted[seat] ?? []
            for move in Move.allCases { #expect(game.player(seat).count(of: move) == moves.count { $0 == move }) }
        }
        for side in Side.allCases {
            let points = Seat.all.filter { $0.side == side }.flatMap { counted[$0] ?? [] }.reduce(0) { $0 + $1.points }
            #expect(game.team(side).points == points)
        }
        let (most, least) = (max(game.home.points, game.away.points), min(game.home.points, game.away.points))
        #expect(most <= 16 || most - least <= 3)
    }
}
