import LatchkeyForms

extension ModelRequest: Logged {
    static let names: Set = ["all", "one", "validate", "add", "change", "mark", "delete", "restore", "close"]

    var logged: (name: String, members: Members) {
        switch self {
        case .all: ("all", [])
        case .one(let id): ("one", [("id", .integer(id))])
        case .validate(let draft, let id): ("validate", [("id", id.map(JSONValue.integer) ?? .null)] + draft.members)
        case .add(let draft): ("add", draft.members)
        case .change(let id, let draft, let seen):
            ("change", [("id", .integer(id))] + draft.members + [("over", .object(seen.members))])
        case .mark(let id, let isDone): ("mark", [("id", .integer(id)), ("done", .bool(isDone))])
        case .delete(let id): ("delete", [("id", .integer(id))])
        case .restore(let id): ("restore", [("id", .integer(id))])
        case .close: ("close", [])
        }
    }
}

extension ModelResponse: Logged {
    static let names: Set = ["todos", "todo", "verdict", "failed", "closed"]

    var logged: (name: String, members: Members) {
        switch self {
        case .todos(let todos): ("todos", [("todos", .array(todos.map(\.json)))])
        case .todo(let todo): ("todo", [("todo", todo.json)])
        case .verdict(let failures): ("verdict", failures.members)
        case .failed(let failure): ("failed", [("failure", .string(failure.rawValue))])
        case .closed: ("closed", [])
        }
    }
}
