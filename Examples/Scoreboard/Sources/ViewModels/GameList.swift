import LatchkeyAccounts
import LatchkeyForms

/// The games in progress, and creating new ones.
final class GameList {
    /// One game in the list.
    struct Row: Equatable, Identifiable, Sendable {
        let id: Game.ID
        let score: String
        let remainingTime: String
        let state: String
    }

    let rows = Dynamic<[Row]>([])
    /// A game that could not be created, so that its names need not be typed again.
    let failedDraft = Dynamic<GameDraft?>(nil)
    /// Why the games cannot be read, created or opened; nil if there is no problem.
    let problem: Dynamic<String?>

    private let store: GameStore
    private let actionProblem = Dynamic<String?>(nil)
    private let readingProblem = Dynamic<String?>(nil)

    init(in store: GameStore) {
        self.store = store
        problem = actionProblem.combined(with: readingProblem) { $0 ?? $1 }.removingDuplicates()
    }

    /// Reads changes by time or by other processes.
    func update() async {
        do throws(StoreError) {
            let present = try await store.gamesInProgress().map(Row.init)
            if present != rows.value { rows.value = present }
            try await store.keepTime()
            readingProblem.value = nil
        } catch {
            readingProblem.value = store.sentence(for: error)
        }
    }

    /// Creates a game, which then appears in the list.
    func create(_ draft: GameDraft) async {
        do throws(StoreError) {
            _ = try await store.create(draft)
            failedDraft.value = nil
            actionProblem.value = nil
        } catch {
            failedDraft.value = draft
            actionProblem.value = "The game is not made: " + store.sentence(for: error)
        }
        await update()
    }

    /// Opens a game. Nil if it cannot be read, or the account does not have it.
    func open(_ id: Game.ID) async -> StoredGame? {
        do throws(StoreError) {
            actionProblem.value = nil
            return try await store.game(id).map { StoredGame($0, in: store) }
        } catch {
            actionProblem.value = store.sentence(for: error)
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
