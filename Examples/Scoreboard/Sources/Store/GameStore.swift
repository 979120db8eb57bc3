import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeyForms
import LatchkeySQLite

/// One account's games in a database that other processes may write to at the same time.
struct GameStore: Sendable {
    let database: SQLiteDatabase
    private let path: String
    private let account: String
    /// Milliseconds since the machine was started: the same in every process, and never set by anybody.
    private let now: @Sendable () -> Int64

    /// What became of a game that was to be changed.
    struct Change: Equatable, Sendable {
        let game: Game
        /// Whether what was to be done could be done.
        let isDone: Bool
    }

    /// A clock that runs is written down so often, so that a process that is killed takes no more of its time with it.
    static let beat: Int64 = 3_000

    /// - Parameters:
    ///   - path: of the file, which is made where there is none.
    ///   - account: whose games these are.
    init(at path: String, of account: String, now: @escaping @Sendable () -> Int64) async throws(StoreError) {
        database = try await SQLiteDatabase.open(path, migrations: Schema.migrations)
        self.path = path
        self.account = account
        self.now = now
    }

    /// As they are now, the oldest first.
    func gamesInProgress() async throws(StoreError) -> [Game] {
        let games = try await database.read { [account] (connection) throws(SQLiteError) in
            try connection.gamesInProgress(of: account)
        }
        let now = now()
        return games.map { $0.seen(at: now) }.filter { !$0.isOver }
    }

    /// As it is now; nil where this account has no such game.
    func game(_ id: Game.ID) async throws(StoreError) -> Game? {
        let game = try await database.read { [account] (connection) throws(SQLiteError) in
            try connection.game(id, of: account)
        }
        return game?.seen(at: now())
    }

    func create(_ draft: GameDraft) async throws(StoreError) -> Game.ID {
        try await database.write { [account] (connection) throws(SQLiteError) in
            try connection.insert(draft, for: account)
        }
    }

    /// Changes a game as it is in the file, where nobody else changes it meanwhile.
    ///
    /// - Parameter body: gets the game and the time, and answers whether it did anything.
    /// - Returns: nil where this account has no such game.
    func change(
        _ id: Game.ID, _ body: @Sendable (inout Game, Int64) -> Bool
    ) async throws(StoreError) -> Change? {
        try await database.write { [account, now] (connection) throws(SQLiteError) -> Change? in
            guard let before = try connection.game(id, of: account) else { return nil }
            var game = before
            // Read here, and not before it was this one's turn: each look is later than the one that was written.
            let isDone = body(&game, now())
            guard game != before else { return Change(game: game, isDone: isDone) }
            try connection.update(game, from: before)
            return try connection.game(id, of: account).map { Change(game: $0, isDone: isDone) }
        }
    }

    /// Writes down the time of the games whose clocks run, where that was not done for a while.
    func keepTime() async throws(StoreError) {
        let games = try await database.read { [account] (connection) throws(SQLiteError) in
            try connection.gamesInProgress(of: account)
        }
        let time = now()
        for game in games where game.clock.isRunning {
            let passed = game.clock.passed(at: time)
            guard passed.map({ $0 >= Self.beat }) ?? true || !game.seen(at: time).clock.isRunning else { continue }
            _ = try await change(game.id) { game, now in
                game.look(at: now)
                return true
            }
        }
    }

    /// What is wrong, for the person at the screen.
    func sentence(for error: StoreError) -> String { error.sentence(about: path, in: .english) }
}

extension Game {
    /// The game as it is at `now`, if nobody changes it.
    fileprivate func seen(at now: Int64) -> Game {
        var game = self
        game.look(at: now)
        return game
    }
}
