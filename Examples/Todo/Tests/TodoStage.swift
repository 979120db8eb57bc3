import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeyFlows
import LatchkeyForms
import LatchkeySQLite
import LatchkeySecrets
import LatchkeyTerminal
import LatchkeyTesting

@testable import todo

/// Streams, servers and a real database, in a temporary folder.
struct TodoStage {
    let folder: TemporaryFolder
    let database: SQLiteDatabase
    let store: TodoStore
    let servers: TodoServers

    var path: String { folder.path(of: "todos.sqlite") }

    init(owner: String = "ada", in session: SessionWatch = SessionWatch { .live }) async throws {
        folder = try TemporaryFolder()
        database = try await SQLiteDatabase.open(folder.path(of: "todos.sqlite"), migrations: TodoTable.migrations)
        // Tests do not wait for locks.
        _ = try await database.read { (connection) throws(SQLiteError) in try connection.run("PRAGMA busy_timeout = 1")
        }
        store = TodoStore(database: database, owner: owner, session: session)
        servers = TodoServers(store)
    }

    func ask(_ request: ViewRequest) async -> ViewResponse { await servers.ask(request) }

    /// Sends a request to the model.
    func answer(_ request: ModelRequest) async -> ModelResponse {
        defer { withExtendedLifetime(folder) {} }
        return await store.answer(request)
    }

    /// Runs statements on the store's connection.
    func run(_ sql: StaticString) async throws {
        _ = try await database.read { (connection) throws(SQLiteError) in try connection.run(sql) }
    }
}

extension Action {
    static func keys(_ text: String) -> Action { .insert(Secret(text)) }
    static func line(_ text: String) -> Action { .answer(Secret(text)) }
}
