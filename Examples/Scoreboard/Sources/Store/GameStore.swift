import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeyForms
import LatchkeySQLite
import LatchkeySystem

/// The games of one account, in a database that other processes may write to as well.
struct GameStore: Sendable {
    let database: SQLiteDatabase
    private let path: String
    private let account: String
    /// Milliseconds since the machine started. They are equal in every process and never adjusted.
    private let now: @Sendable () -> Int64
    /// The shortest remaining time of each game so far. No later result has more, whatever the file contains.
    private let shortest = Locked<[Game.ID: Int64]>([:])

    /// The result of changing a game.
    struct Change: Equatable, Sendable {
        let game: Game
        /// Whether the change was allowed.
        let isDone: Bool
    }

    /// The largest number of finished games in the list.
    static let finishedLimit = 200

    /// How often a running clock is stored. A killed process loses at most this much time.
    static let beat: Int64 = 3_000

    /// - Parameters:
    ///   - path: the path of the file, which is created if it does not exist.
    ///   - account: the owner of the games.
    init(at path: String, of account: String, now: @escaping @Sendable () -> Int64) async throws(StoreError) {
        database = try await SQLiteDatabase.open(path, migrations: Schema.migrations)
        self.path = path
        self.account = account
        self.now = now
    }

    /// The current games in progress, oldest first.
    func gamesInProgress() async throws(StoreError) -> [Game] {
        let games = try await database.read { [account] (connection) throws(SQLiteError) in
            try connection.gamesInProgress(of: account)
        }
        return games.map(current).filter { !$0.isOver }
    }

    /// The games that ended last, the newest first.
    func finishedGames() async throws(StoreError) -> [FinishedGame] {
        try await database.read { [account] (connection) throws(SQLiteError) in
            try connection.finishedGames(of: account, limit: Self.finishedLimit)
        }
    }

    /// Deletes a game. Returns false if the account does not have it.
    func delete(_ id: Game.ID) async throws(StoreError) -> Bool {
        try await database.write { [account] (connection) throws(SQLiteError) in
            try connection.delete(id, of: account)
        }
    }

    /// The current game; nil if the account does not have it.
    func game(_ id: Game.ID) async throws(StoreError) -> Game? {
        let game = try await database.read { [account] (connection) throws(SQLiteError) in
            try connection.game(id, of: account)
        }
        return game.map(current)
    }

    /// The game at the current time if nothing has changed it since.
    func current(_ game: Game) -> Game { current(game, at: now()) }

    private func current(_ game: Game, at now: Int64) -> Game {
        var game = game
        game.update(at: now)
        shortest.withLock { shortest in
            game.limitTime(to: shortest[game.id] ?? .max)
            shortest[game.id] = game.clock.remaining
        }
        return game
    }

    func create(_ draft: GameDraft) async throws(StoreError) -> Game.ID {
        try await database.write { [account] (connection) throws(SQLiteError) in
            try connection.insert(draft, for: account)
        }
    }

    /// Changes the stored game in one transaction.
    ///
    /// - Parameter body: changes the game at the given time. Returns whether it has done so.
    /// - Returns: nil if the account does not have the game.
    func change(
        _ id: Game.ID, _ body: @Sendable (inout Game, Int64) -> Bool
    ) async throws(StoreError) -> Change? {
        try await database.write { (connection) throws(SQLiteError) -> Change? in
            guard let before = try connection.game(id, of: account) else { return nil }
            // Read the time inside the transaction, so that it is later than the stored time.
            let now = now()
            var game = current(before, at: now)
            let isDone = body(&game, now)
            guard game != before else { return Change(game: game, isDone: isDone) }
            try connection.update(game, from: before)
            return try connection.game(id, of: account).map { Change(game: $0, isDone: isDone) }
        }
    }

    /// Stores the time of running clocks that have not been stored for a while.
    ///
    /// - Parameter atOnce: whether to store all of them, because the screen is about to close.
    func keepTime(atOnce: Bool = false) async throws(StoreError) {
        let games = try await database.read { [account] (connection) throws(SQLiteError) in
            try connection.gamesInProgress(of: account)
        }
        let time = now()
        for game in games where game.clock.isRunning {
            let passed = game.clock.passed(at: time)
            guard atOnce || passed.map({ $0 >= Self.beat }) ?? true || !current(game, at: time).clock.isRunning else {
                continue
            }
            _ = try await change(game.id) { game, now in
                game.update(at: now)
                return true
            }
        }
    }

    /// Stores the names of a form that the user neither created a game with nor left. Empty to remove them.
    func keep(_ draft: [FieldKey: String]) async throws(StoreError) {
        try await database.write { [account] (connection) throws(SQLiteError) in
            try connection.keep(draft, of: account)
        }
    }

    /// The stored names; empty if there are none.
    func draft() async -> [FieldKey: String] {
        let draft = try? await database.read { [account] (connection) throws(SQLiteError) in
            try connection.draft(of: account)
        }
        return draft ?? [:]
    }

    /// The problem with the file, and how the user can solve it.
    func sentence(for error: StoreError) -> String {
        switch error {
        case .busy: "Another program is writing \(path). Try again, or close that program"
        case .full: "The disk of \(path) is full. Free some space and try again"
        case .readOnly: "\(path) is read-only. Check its permissions"
        case .corrupt: "\(path) is damaged. Restore it from a backup"
        default: error.sentence(about: path, in: .english)
        }
    }
}

/// A game that has ended, with the day, such as `2026-11-23`.
struct FinishedGame: Equatable, Sendable {
    let game: Game
    let day: String
}
