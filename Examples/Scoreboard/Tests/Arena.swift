import LatchkeyAccounts
import LatchkeySQLite
import LatchkeyTesting
import Testing

@testable import scoreboard

/// A folder with a database, and a clock that the test controls.
struct Arena {
    let folder: TemporaryFolder
    let clock = VirtualClock()

    init() throws { folder = try TemporaryFolder() }

    var path: String { folder.path(of: "scoreboard.sqlite") }

    /// A store as another process would open it.
    func store(of account: String = "ada") async throws -> GameStore {
        try await GameStore(at: path, of: account) { [self] in clock.now().milliseconds }
    }

    /// The view model of a game in a new store.
    func game() async throws -> (StoredGame, GameStore) {
        let store = try await store()
        let id = try await store.create(.example)
        return (StoredGame(try #require(try await store.game(id)), in: store), store)
    }

    /// Lets time pass, with an update in each second.
    func pass(_ seconds: Int, in model: any GameViewModel) async {
        for _ in 0..<seconds {
            clock.advance(by: .seconds(1))
            await model.update()
            await model.keepTime()
        }
    }
}

extension GameStore {
    /// A failure that SQLite can cause on request.
    enum Mood {
        /// Refuses every write, or every additional page.
        case readOnly, full
        /// Does not wait for locks.
        case impatient
        case fine
    }

    func set(_ mood: Mood) async throws {
        try await database.read { (connection) throws(SQLiteError) in
            switch mood {
            case .readOnly: try connection.run("PRAGMA query_only = ON")
            case .full: try connection.run("PRAGMA max_page_count = 1")
            case .impatient: try connection.run("PRAGMA busy_timeout = 1")
            case .fine:
                try connection.run("PRAGMA query_only = OFF")
                try connection.run("PRAGMA max_page_count = 1000")
            }
        }
    }
}
