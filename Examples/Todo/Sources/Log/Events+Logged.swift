import LatchkeyForms

extension ModelRequest: Logged {
    static let names: Set = ["all", "one", "validate", "add", "change", "mark", "move", "delete", "restore", "close"]

    var logged: (name: String, members: Members) {
        switch self {
        case .all: ("all", [])
        case .one(let id): ("one", [("id", .integer(id))])
        case .validate(let draft, let id): ("validate", [("id", id.map(JSONValue.integer) ?? .null)] + draft.members)
        case .add(let draft): ("add", draft.members)
        case .change(let id, let draft, let seen):
            ("change", [("id", .integer(id))] + draft.members + [("over", .object(seen.members))])
        case .mark(let id, let isDone): ("mark", [("id", .integer(id)), ("done", .bool(isDone))])
        case .move(let id, let other):
            ("move", [("id", .integer(id)), ("before", other.map(JSONValue.integer) ?? .null)])
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

extension ViewRequest: Logged {
    var logged: (name: String, members: Members) {
        switch self {
        case .list(let query): ("list", query.members)
        case .refresh: ("refresh", [])
        case .detail(let id): ("detail", [("id", .integer(id))])
        case .new(let texts): ("new", texts.members)
        case .update(let id, let texts, let seen):
            ("update", [("id", .integer(id))] + texts.members + [("over", .object(seen.members))])
        case .mark(let id, let isDone): ("mark", [("id", .integer(id)), ("done", .bool(isDone))])
        case .move(let id, let other):
            ("move", [("id", .integer(id)), ("before", other.map(JSONValue.integer) ?? .null)])
        case .delete(let id): ("delete", [("id", .integer(id))])
        case .restore(let id): ("restore", [("id", .integer(id))])
        case .close: ("close", [])
        }
    }

    /// - Returns: nil if this version does not know the request.
    init?(json: JSONValue) {
        switch (json["request"]?.string, json["id"]?.integer, FormTexts(json: json)) {
        case ("list", _, _):
            guard let query = ListQuery(json: json) else { return nil }
            self = .list(query)
        case ("refresh", _, _): self = .refresh
        case ("detail", let id?, _): self = .detail(id)
        case ("new", _, let texts?): self = .new(texts)
        case ("update", let id?, let texts?):
            guard let seen = json["over"].flatMap(FormTexts.init(json:)) else { return nil }
            self = .update(id, texts, over: seen)
        case ("mark", let id?, _):
            guard case .bool(let isDone)? = json["done"] else { return nil }
            self = .mark(id, isDone: isDone)
        case ("move", let id?, _):
            guard json["before"] == .null || json["before"]?.integer != nil else { return nil }
            self = .move(id, before: json["before"]?.integer)
        case ("delete", let id?, _): self = .delete(id)
        case ("restore", let id?, _): self = .restore(id)
        case ("close", _, _): self = .close
        default: return nil
        }
    }
}

extension ViewResponse: Logged {
    static let names: Set = ["list", "detail", "refused", "failed", "closed"]

    var logged: (name: String, members: Members) {
        switch self {
        case .list(let list, let changes): ("list", list.members + changes.members)
        case .detail(let detail):
            ("detail", [("id", .integer(detail.id))] + detail.texts.members)
        case .refused(let failures): ("refused", failures.members)
        case .failed(let failure): ("failed", [("failure", .string(failure.rawValue))])
        case .closed: ("closed", [])
        }
    }
}
