import LatchkeyAccounts
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

    init(owner: String = "ada") async throws {
        folder = try TemporaryFolder()
        database = try await SQLiteDatabase.open(folder.path(of: "todos.sqlite"), migrations: TodoTable.migrations)
        // Tests do not wait for locks.
        _ = try await database.read { (connection) throws(SQLiteError) in try connection.run("PRAGMA busy_timeout = 1")
        }
        store = TodoStore(database: database, owner: owner)
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

extension TodoList {
    /// Each row as its id and its text.
    var lines: [String] { rows.map { "\($0.id) \($0.isDone ? "done " : "")\($0.title) \($0.remark)" } }
}

extension ViewResponse {
    /// The list; nil for other responses.
    var list: TodoList? { if case .list(let list, _) = self { list } else { nil } }
    var changes: RowChanges? { if case .list(_, let changes) = self { changes } else { nil } }
}

extension RowChanges {
    var text: String { "+\(inserted) -\(removed) ~\(changed)" }
}

extension Action {
    static func keys(_ text: String) -> Action { .insert(Secret(text)) }
    static func line(_ text: String) -> Action { .answer(Secret(text)) }
}
