import LatchkeyAccounts
import LatchkeyForms

/// The list of games in progress or of finished ones, with which games are created and deleted.
final class GameList {
    /// The kind of games in the list.
    enum Shown: Equatable, Sendable { case inProgress, finished }

    /// One game in the list.
    struct Row: Equatable, Identifiable, Sendable {
        let id: Game.ID
        let score: String
        /// The remaining time of a game in progress, or the day of a finished one.
        let time: String
        let state: String
    }

    let shown = Dynamic(Shown.inProgress)
    let rows = Dynamic<[Row]>([])
    /// Why the games cannot be read, opened or deleted; nil if there is no problem.
    let problem: Dynamic<String?>

    private let store: GameStore
    /// Whether the games have been read at least once.
    private(set) var hasRead = false
    private let actionProblem = Dynamic<String?>(nil)
    private let readingProblem = Dynamic<String?>(nil)

    private let keepingProblem = Dynamic<String?>(nil)

    init(in store: GameStore) {
        self.store = store
        problem = actionProblem.combined(with: readingProblem) { $0 ?? $1 }
            .combined(with: keepingProblem) { $0 ?? $1 }.removingDuplicates()
    }

    /// Switches between the finished games and those in progress.
    func toggle() async {
        shown.value = shown.value == .inProgress ? .finished : .inProgress
        await update()
    }

    /// Reads changes that time or other processes have made.
    func update() async {
        do throws(StoreError) {
            let asked = shown.value
            let present =
                switch asked {
                case .inProgress: try await store.gamesInProgress().map(Row.init)
                case .finished: try await store.finishedGames().map(Row.init)
                }
            let isFirst = !hasRead
            hasRead = true
            if asked == shown.value, present != rows.value || isFirst { rows.value = present }
            readingProblem.value = nil
        } catch {
            readingProblem.value = store.sentence(for: error)
        }
    }

    /// Stores the time of running clocks.
    ///
    /// - Parameter atOnce: whether to store all of them, because the screen is about to close.
    func keepTime(atOnce: Bool = false) async {
        do throws(StoreError) {
            try await store.keepTime(atOnce: atOnce)
            keepingProblem.value = nil
        } catch {
            keepingProblem.value = store.sentence(for: error)
        }
    }

    /// Deletes a game. If another window has already deleted it, nothing changes.
    func delete(_ id: Game.ID) async {
        do throws(StoreError) {
            _ = try await store.delete(id)
            actionProblem.value = nil
        } catch {
            actionProblem.value = "The game was not deleted: " + store.sentence(for: error)
        }
        await update()
    }

    /// Creates a game, which then appears in the list.
    ///
    /// - Returns: why it was not created; nil if it was.
    func create(_ draft: GameDraft) async -> String? {
        do throws(StoreError) {
            _ = try await store.create(draft)
        } catch {
            return "The game was not created: " + store.sentence(for: error)
        }
        shown.value = .inProgress
        await update()
        return nil
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
            id: game.id, score: game.scoreLine, time: game.clock.shortText, state: game.stateLine)
    }

    init(_ finished: FinishedGame) {
        self.init(
            id: finished.game.id, score: finished.game.scoreLine, time: finished.day, state: finished.game.stateLine)
    }
}
