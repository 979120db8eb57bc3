import LatchkeyAccounts
import LatchkeySQLite

/// The todos of one account, in a database.
struct TodoStore: Sendable {
    let database: SQLiteDatabase
    /// The id of the account.
    let owner: String

    /// - Parameter path: the path of the database, which is created if it does not exist.
    static func open(_ path: String, of owner: String) async throws(StoreError) -> TodoStore {
        TodoStore(database: try await SQLiteDatabase.open(path, migrations: TodoTable.migrations), owner: owner)
    }

    /// Performs a request completely or not at all.
    func answer(_ request: ModelRequest) async -> ModelResponse {
        do throws(StoreError) {
            return switch request {
            case .all: try await read { (table) throws(SQLiteError) in .todos(try table.all()) }
            case .one(let id):
                try await read { (table) throws(SQLiteError) in try table.one(id).map { .todo($0) } ?? .failed(.gone) }
            case .validate(let draft, let id):
                try await read { (table) throws(SQLiteError) in .verdict(try table.verdict(on: draft, replacing: id)) }
            case .add(let draft):
                try await write { (table) throws(SQLiteError) in try table.save(draft, replacing: nil) }
            case .change(let id, let draft):
                try await write { (table) throws(SQLiteError) in try table.save(draft, replacing: id) }
            case .toggle(let id):
                try await write { (table) throws(SQLiteError) in try table.change(id) { $0.isDone.toggle() } }
            case .delete(let id):
                try await write { (table) throws(SQLiteError) in try table.change(id) { $0.isDeleted = true } }
            case .close: .closed
            }
        } catch {
            return .failed(TodoFailure(error))
        }
    }

    /// Inserts todos unchanged, to begin a saved session.
    func fill(with todos: [Todo]) async throws(StoreError) {
        _ = try await write { (table) throws(SQLiteError) in
            for todo in todos { try table.put(todo) }
            return .todos(todos)
        }
    }

    private func read(
        _ body: @escaping @Sendable (TodoTable) throws(SQLiteError) -> ModelResponse
    ) async throws(StoreError) -> ModelResponse {
        try await database.read { [owner] (connection) throws(SQLiteError) in
            try body(TodoTable(connection: connection, owner: owner))
        }
    }

    private func write(
        _ body: @escaping @Sendable (TodoTable) throws(SQLiteError) -> ModelResponse
    ) async throws(StoreError) -> ModelResponse {
        try await database.write { [owner] (connection) throws(SQLiteError) in
            try body(TodoTable(connection: connection, owner: owner))
        }
    }
}
