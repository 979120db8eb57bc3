import LatchkeyAccounts
import LatchkeyForms

/// A game in the database. All that is shown follows from one value, and that is only ever what the database has.
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
    /// Of what was asked for last, until something else is.
    private let refusal = Dynamic<String?>(nil)
    /// Of the last look.
    private let blindness = Dynamic<String?>(nil)

    init(_ first: Game, in store: GameStore) {
        self.store = store
        game = Dynamic(first)
        score = game.map(\.scoreLine).removingDuplicates()
        remainingTime = game.map(\.clock.text).removingDuplicates()
        isPaused = game.map { !$0.clock.isRunning }.removingDuplicates()
        isFinished = game.map(\.isOver).removingDuplicates()
        state = game.map(\.stateLine).removingDuplicates()
        problem = refusal.combined(with: blindness) { $0 ?? $1 }.removingDuplicates()
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
            blindness.value = nil
        } catch {
            blindness.value = store.sentence(for: error)
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
            refusal.value = nil
            return change.isDone
        } catch {
            refusal.value = "Not done: " + store.sentence(for: error)
            return false
        }
    }

    /// Shows what a look has found. One that was begun before a change and comes back after it is too late.
    func show(_ present: Game) {
        if present.revision >= game.value.revision { game.value = present }
    }
}
