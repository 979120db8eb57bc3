import LatchkeyAccounts
import LatchkeyForms

/// A game in the database. Every shown value is derived from one value, which is always what the database contains.
final class StoredGame: GameViewModel {
    let score: Dynamic<String>
    let remainingTime: Dynamic<String>
    let isPaused: Dynamic<Bool>
    let isFinished: Dynamic<Bool>
    let state: Dynamic<String>
    let problem: Dynamic<String?>
    private(set) var homePlayers: [any PlayerViewModel] = []
    private(set) var awayPlayers: [any PlayerViewModel] = []

    private let store: GameStore
    private let game: Dynamic<Game>
    /// The problem of the last action.
    private let actionProblem = Dynamic<String?>(nil)
    /// The problem of the last update.
    private let readingProblem = Dynamic<String?>(nil)

    init(_ first: Game, in store: GameStore) {
        self.store = store
        game = Dynamic(first)
        score = game.map(\.scoreLine).removingDuplicates()
        remainingTime = game.map(\.clock.text).removingDuplicates()
        isPaused = game.map { !$0.clock.isRunning }.removingDuplicates()
        isFinished = game.map(\.isOver).removingDuplicates()
        state = game.map(\.stateLine).removingDuplicates()
        problem = actionProblem.combined(with: readingProblem) { $0 ?? $1 }.removingDuplicates()
        homePlayers = players(of: .home)
        awayPlayers = players(of: .away)
    }

    func togglePause() async -> Bool {
        await change { game, now in game.togglePause(at: now) }
    }

    func update() async {
        do throws(StoreError) {
            if let present = try await store.game(game.value.id) { show(present) }
            try await store.keepTime()
            readingProblem.value = nil
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
            guard let change = try await store.change(game.value.id, body) else { return false }
            show(change.game)
            actionProblem.value = nil
            return change.isDone
        } catch {
            actionProblem.value = "Not done: " + store.sentence(for: error)
            return false
        }
    }

    /// Shows the result of an update, unless a change has made it outdated meanwhile.
    func show(_ present: Game) {
        if present.revision >= game.value.revision { game.value = present }
    }
}
