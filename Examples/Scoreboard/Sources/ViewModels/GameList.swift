import LatchkeyAccounts
import LatchkeyForms

/// The games in progress, and how to come by more.
final class GameList {
    /// One game in a line.
    struct Row: Equatable, Identifiable, Sendable {
        let id: Game.ID
        let score: String
        let remainingTime: String
        let state: String
    }

    let rows = Dynamic<[Row]>([])
    /// The game that was to be made and could not be: nobody has to type its names again.
    let unmade = Dynamic<GameDraft?>(nil)
    /// Why the games cannot be seen, or one not be made or opened; nil where all is well.
    let problem: Dynamic<String?>

    private let store: GameStore
    private let refusal = Dynamic<String?>(nil)
    private let blindness = Dynamic<String?>(nil)

    init(in store: GameStore) {
        self.store = store
        problem = refusal.combined(with: blindness) { $0 ?? $1 }.removingDuplicates()
    }

    /// Looks at what has changed, be it by time or by somebody else.
    func update() async {
        do throws(StoreError) {
            let present = try await store.gamesInProgress().map(Row.init)
            if present != rows.value { rows.value = present }
            try await store.keepTime()
            blindness.value = nil
        } catch {
            blindness.value = store.sentence(for: error)
        }
    }

    /// Makes a game; then it is in the list.
    func create(_ draft: GameDraft) async {
        do throws(StoreError) {
            _ = try await store.create(draft)
            unmade.value = nil
            refusal.value = nil
        } catch {
            unmade.value = draft
            refusal.value = "The game is not made: " + store.sentence(for: error)
        }
        await update()
    }

    /// Nil where the game cannot be read, or is none of this account's.
    func open(_ id: Game.ID) async -> StoredGame? {
        do throws(StoreError) {
            refusal.value = nil
            return try await store.game(id).map { StoredGame($0, in: store) }
        } catch {
            refusal.value = store.sentence(for: error)
            return nil
        }
    }
}

extension GameList.Row {
    init(_ game: Game) {
        self.init(
            id: game.id, score: game.scoreLine, remainingTime: game.clock.text, state: game.stateLine)
    }
}
