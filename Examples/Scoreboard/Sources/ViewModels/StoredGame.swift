import LatchkeyAccounts
import LatchkeyForms

/// A game in the database. Every shown value is derived from one value, which always equals the content of the
/// database.
final class StoredGame: GameViewModel {
    let score: Dynamic<String>
    let remainingTime: Dynamic<String>
    let isPaused: Dynamic<Bool>
    let isFinished: Dynamic<Bool>
    let state: Dynamic<String>
    let problem: Dynamic<String?>
    let lastMove: Dynamic<String?>
    private(set) var homePlayers: [any PlayerViewModel] = []
    private(set) var awayPlayers: [any PlayerViewModel] = []

    var isLastMinute: Bool { game.value.clock.isRunning && game.value.clock.remaining < 61_000 }

    private let store: GameStore
    private let game: Dynamic<Game>
    private(set) var isReading = false

    private static let isGone = "This game was deleted in another window. Go back to the list"

    /// The problem of the last action.
    private let actionProblem = Dynamic<String?>(nil)
    /// The problem of the last update.
    private let readingProblem = Dynamic<String?>(nil)
    /// The problem of storing the time.
    private let keepingProblem = Dynamic<String?>(nil)

    init(_ first: Game, in store: GameStore) {
        self.store = store
        game = Dynamic(first)
        score = game.map(\.scoreLine).removingDuplicates()
        remainingTime = game.map(\.clock.text).removingDuplicates()
        isPaused = game.map { !$0.clock.isRunning }.removingDuplicates()
        isFinished = game.map(\.isOver).removingDuplicates()
        state = game.map(\.stateLine).removingDuplicates()
        lastMove = game.map(\.lastMoveLine).removingDuplicates()
        problem = actionProblem.combined(with: readingProblem) { $0 ?? $1 }
            .combined(with: keepingProblem) { $0 ?? $1 }.removingDuplicates()
        homePlayers = players(of: .home)
        awayPlayers = players(of: .away)
    }

    func togglePause() async -> Bool {
        await change { game, now in game.togglePause(at: now) }
    }

    func takeBack() async -> Bool {
        // Takes back only the move on the screen, because another window may have counted one since.
        let number = game.value.moveCount
        return await change { game, now in game.takeBack(number: number, at: now) }
    }

    func keepTime() async {
        do throws(StoreError) {
            try await store.keepTime()
            keepingProblem.value = nil
        } catch {
            keepingProblem.value = store.sentence(for: error)
        }
    }

    func update() async {
        // The clock continues while another process blocks reading.
        guard !isReading else { return show(store.current(game.value)) }
        isReading = true
        defer { isReading = false }
        do throws(StoreError) {
            let present = try await store.game(game.value.id)
            if let present { show(present) }
            readingProblem.value = present == nil ? Self.isGone : nil
            // A failed action must not hide that the game is gone.
            if present == nil { actionProblem.value = nil }
        } catch {
            readingProblem.value = store.sentence(for: error)
        }
    }

    private func players(of side: Side) -> [any PlayerViewModel] {
        Seat.all.filter { $0.side == side }.map { seat in
            StoredPlayer(at: seat, of: game) { [weak self] move in
                await self?.change { game, now in game.record(move, by: seat, at: now) } ?? false
            }
        }
    }

    private func change(_ body: @Sendable (inout Game, Int64) -> Bool) async -> Bool {
        do throws(StoreError) {
            let change = try await store.change(game.value.id, body)
            guard let change else {
                actionProblem.value = Self.isGone
                return false
            }
            show(change.game)
            actionProblem.value = nil
            return change.isDone
        } catch {
            actionProblem.value = "Not done: " + store.sentence(for: error)
            return false
        }
    }

    /// Shows the result of an update, unless a later change has made it outdated. The time never goes up.
    func show(_ present: Game) {
        guard present.revision >= game.value.revision else { return }
        var present = present
        present.limitTime(to: game.value.clock.remaining)
        game.value = present
    }
}

/// One player of a ``StoredGame``.
final class StoredPlayer: PlayerViewModel {
    let name: String
    let team: String
    let points: Dynamic<Int>

    private let counts: [Move: Dynamic<Int>]
    private let count: (Move) async -> Bool

    /// - Parameter count: counts a move of this player in the game.
    init(at seat: Seat, of game: Dynamic<Game>, counting count: @escaping (Move) async -> Bool) {
        name = game.value.player(seat).name
        team = game.value.team(seat.side).name
        points = game.map { $0.player(seat).points }.removingDuplicates()
        counts = Dictionary(
            uniqueKeysWithValues: Move.allCases.map { move in
                (move, game.map { $0.player(seat).count(of: move) }.removingDuplicates())
            })
        self.count = count
    }

    func count(of move: Move) -> Dynamic<Int> { counts[move] ?? Dynamic(0) }

    func record(_ move: Move) async -> Bool { await count(move) }
}
