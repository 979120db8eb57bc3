import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeySQLite

/// The todos of one account, in a database.
struct TodoStore: Sendable {
    let database: SQLiteDatabase
    /// The id of the account.
    let owner: String
    /// The user's session. After its end, nothing is changed.
    var session = SessionWatch { .live }

    /// - Parameter path: the path of the database, which is created if it does not exist.
    static func open(
        _ path: String, of owner: String, in session: SessionWatch = SessionWatch { .live }
    ) async throws(StoreError) -> TodoStore {
        let database = try await SQLiteDatabase.open(path, migrations: TodoTable.migrations)
        return TodoStore(database: database, owner: owner, session: session)
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
            case .change(let id, let draft, let seen):
                try await write { (table) throws(SQLiteError) in try table.save(draft, replacing: id, over: seen) }
            case .mark(let id, let isDone):
                try await write { (table) throws(SQLiteError) in try table.change(id) { $0.isDone = isDone } }
            case .move(let id, let other):
                try await write { (table) throws(SQLiteError) in try table.move(id, before: other) }
            case .delete(let id):
                try await write { (table) throws(SQLiteError) in try table.change(id) { $0.isDeleted = true } }
            case .restore(let id):
                try await write { (table) throws(SQLiteError) in try table.restore(id) }
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

    // MARK: Drafts

    /// Stores the texts of a form that the user has not saved. It needs no session, because the session may have ended.
    ///
    /// - Parameters:
    ///   - texts: empty to remove the draft.
    ///   - id: the todo in the form; nil for a new one.
    func keep(_ texts: FormTexts, of id: Int?) async throws(StoreError) {
        try await database.write { [owner] (connection) throws(SQLiteError) in
            try TodoTable(connection: connection, owner: owner).keep(texts, of: id)
        }
    }

    /// The draft of a form; empty if there is none.
    func draft(of id: Int?) async -> FormTexts {
        let texts = try? await database.read { [owner] (connection) throws(SQLiteError) in
            try TodoTable(connection: connection, owner: owner).draft(of: id)
        }
        return texts ?? [:]
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
        guard await !session.hasEnded() else { return .failed(.signedOut) }
        return try await database.write { [owner] (connection) throws(SQLiteError) in
            try body(TodoTable(connection: connection, owner: owner))
        }
    }
}
