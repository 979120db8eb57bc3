import LatchkeyForms
import LatchkeySQLite

/// The todos of one account within one transaction. The table contains those of all accounts.
struct TodoTable {
    let connection: SQLiteConnection
    /// The id of the account.
    let owner: String

    static let migrations: [StaticString] = [
        """
        CREATE TABLE todo (
            owner TEXT NOT NULL, id INTEGER NOT NULL, title TEXT NOT NULL, note TEXT NOT NULL, due TEXT NOT NULL,
            priority TEXT NOT NULL, is_done INTEGER NOT NULL, is_deleted INTEGER NOT NULL, PRIMARY KEY (owner, id)
        ) STRICT, WITHOUT ROWID
        """,
        "ALTER TABLE todo ADD COLUMN place INTEGER NOT NULL DEFAULT 0",
        """
        CREATE TABLE draft (
            owner TEXT NOT NULL, id INTEGER NOT NULL, field TEXT NOT NULL, text TEXT NOT NULL,
            PRIMARY KEY (owner, id, field)
        ) STRICT, WITHOUT ROWID
        """,
    ]

    /// All todos, including deleted ones.
    func all() throws(SQLiteError) -> [Todo] {
        try connection.rows(
            "SELECT id, title, note, due, priority, is_done, is_deleted, place FROM todo WHERE owner = ?1", .text(owner)
        ) { (row) throws(SQLiteError) in
            let texts = [
                TodoForm.title: try row.text(1), TodoForm.note: try row.text(2), TodoForm.due: try row.text(3),
                TodoForm.priority: try row.text(4),
            ]
            guard let draft = TodoDraft(texts: texts), let id = Int(exactly: try row.integer(0)),
                let place = Int(exactly: try row.integer(7))
            else { throw SQLiteError.corrupt }
            return Todo(
                id: id, draft: draft, isDone: try row.integer(5) != 0, isDeleted: try row.integer(6) != 0, place: place)
        }
    }

    func one(_ id: Int) throws(SQLiteError) -> Todo? { try all().first { $0.id == id && !$0.isDeleted } }

    /// Inserts a todo, or replaces the one with the same id.
    func put(_ todo: Todo) throws(SQLiteError) {
        let draft = todo.draft
        try connection.run(
            "INSERT OR REPLACE INTO todo VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)", .text(owner),
            .integer(Int64(todo.id)), .text(draft.title), .text(draft.note), .text(draft.due?.text ?? ""),
            .text(draft.priority.rawValue), .integer(todo.isDone ? 1 : 0), .integer(todo.isDeleted ? 1 : 0),
            .integer(Int64(todo.place)))
    }

    /// The failures of a draft for a new or an existing todo; empty if it may be saved.
    func verdict(on draft: TodoDraft, replacing id: Int?) throws(SQLiteError) -> [RuleFailure] {
        let failures = TodoForm.failures(of: draft.texts)
        guard failures.isEmpty else { return failures }
        let isTaken = try all().contains { $0.id != id && !$0.isDeleted && $0.draft.title == draft.title }
        return isTaken ? [RuleFailure(code: .titleTaken, field: TodoForm.title)] : []
    }

    /// - Parameter seen: the draft that the user saw; nil for a new todo.
    func save(
        _ draft: TodoDraft, replacing id: Int?, over seen: TodoDraft? = nil
    ) throws(SQLiteError) -> ModelResponse {
        if let id, let seen, let now = try one(id), now.draft != seen { return .failed(.changed) }
        // Another process may have used the title since the draft was validated.
        let failures = try verdict(on: draft, replacing: id)
        guard failures.isEmpty else { return .verdict(failures) }
        if let id { return try change(id) { $0.draft = draft } }
        let todos = try all()
        let (next, isTooLarge) = (todos.map(\.id).max() ?? 0).addingReportingOverflow(1)
        guard !isTooLarge else { throw SQLiteError.corrupt }
        // The todo with the greatest id is the last one of its place.
        let todo = Todo(id: next, draft: draft, place: todos.map(\.place).max() ?? 0)
        try put(todo)
        return .todo(todo)
    }

    /// Takes back a deletion, unless another todo has the title now.
    func restore(_ id: Int) throws(SQLiteError) -> ModelResponse {
        guard var todo = try all().first(where: { $0.id == id }) else { return .failed(.gone) }
        let failures = try verdict(on: todo.draft, replacing: id)
        guard failures.isEmpty else { return .verdict(failures) }
        todo.isDeleted = false
        try put(todo)
        return .todo(todo)
    }

    /// Moves a todo before another one, or to the end, and numbers the places.
    func move(_ id: Int, before other: Int?) throws(SQLiteError) -> ModelResponse {
        var order = try all().filter { !$0.isDeleted }.sorted { ($0.place, $0.id) < ($1.place, $1.id) }
        guard let from = order.firstIndex(where: { $0.id == id }) else { return .failed(.gone) }
        var moved = order.remove(at: from)
        guard let to = other.map({ other in order.firstIndex { $0.id == other } }) ?? order.endIndex else {
            return .failed(.gone)
        }
        order.insert(moved, at: to)
        for (index, todo) in order.enumerated() where todo.place != index + 1 {
            var todo = todo
            todo.place = index + 1
            try put(todo)
        }
        moved.place = to + 1
        return .todo(moved)
    }

    /// The texts of a form that was not saved.
    ///
    /// - Parameter id: the todo in the form; nil for a new one, which has the number 0 in the table.
    func draft(of id: Int?) throws(SQLiteError) -> FormTexts {
        let texts = try connection.rows(
            "SELECT field, text FROM draft WHERE owner = ?1 AND id = ?2", .text(owner), .integer(Int64(id ?? 0))
        ) { (row) throws(SQLiteError) in (FieldKey(rawValue: try row.text(0)), try row.text(1)) }
        return FormTexts(texts) { first, _ in first }
    }

    /// Replaces the texts of a form that was not saved. If the todo was deleted in the meantime, its texts become the draft
    /// of a new todo, unless there is one.
    func keep(_ texts: FormTexts, of id: Int?) throws(SQLiteError) {
        if let id, !texts.isEmpty, try one(id) == nil, try draft(of: nil).isEmpty { return try keep(texts, of: nil) }
        try connection.run(
            "DELETE FROM draft WHERE owner = ?1 AND id = ?2", .text(owner), .integer(Int64(id ?? 0)))
        for (field, text) in texts {
            try connection.run(
                "INSERT INTO draft VALUES (?1, ?2, ?3, ?4)", .text(owner), .integer(Int64(id ?? 0)),
                .text(field.rawValue), .text(text))
        }
    }

    func change(_ id: Int, _ body: (inout Todo) -> Void) throws(SQLiteError) -> ModelResponse {
        guard var todo = try one(id) else { return .failed(.gone) }
        body(&todo)
        try put(todo)
        return .todo(todo)
    }
}
