import LatchkeyAccounts
import LatchkeySQLite
import TestSupport
import Testing

@testable import scoreboard

/// A folder with a database, and a clock that goes when it is told to.
struct Arena {
    let folder: TemporaryFolder
    let clock = SettableClock()

    init() throws { folder = try TemporaryFolder() }

    var path: String { folder.path(of: "scoreboard.sqlite") }

    /// What another process would open.
    func store(of account: String = "ada") async throws -> GameStore {
        try await GameStore(at: path, of: account) { [self] in clock.now().milliseconds }
    }

    /// A game of a new store's, as a screen shows it.
    func game() async throws -> (StoredGame, GameStore) {
        let store = try await store()
        let id = try await store.create(.example)
        return (StoredGame(try #require(try await store.game(id)), in: store), store)
    }

    /// Lets time pass, looked at every second.
    func pass(_ seconds: Int, in model: any GameViewModel) async {
        for _ in 0..<seconds {
            clock.advance(by: .seconds(1))
            await model.update()
        }
    }
}

extension GameStore {
    /// What the library is told, to refuse as it does on a bad day.
    enum Mood {
        /// Refuse every write, or every page more.
        case readOnly, full
        /// Wait for nobody.
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
