import LatchkeyForms

extension ViewRequest: Logged {
    var logged: (name: String, members: Members) {
        switch self {
        case .list: ("list", [])
        case .detail(let id): ("detail", [("id", .integer(id))])
        case .new(let draft): ("new", draft.members)
        case .update(let id, let draft, let seen):
            ("update", [("id", .integer(id))] + draft.members + [("over", .object(seen.members))])
        case .mark(let id, let isDone): ("mark", [("id", .integer(id)), ("done", .bool(isDone))])
        case .delete(let id): ("delete", [("id", .integer(id))])
        case .restore(let id): ("restore", [("id", .integer(id))])
        case .close: ("close", [])
        }
    }

    /// - Returns: nil if this version does not know the request.
    init?(json: JSONValue) {
        switch (json["request"]?.string, json["id"]?.integer, TodoDraft(json: json)) {
        case ("list", _, _): self = .list
        case ("detail", let id?, _): self = .detail(id)
        case ("new", _, let draft?): self = .new(draft)
        case ("update", let id?, let draft?):
            guard let seen = json["over"].flatMap(TodoDraft.init) else { return nil }
            self = .update(id, draft, over: seen)
        case ("mark", let id?, _):
            guard case .bool(let isDone)? = json["done"] else { return nil }
            self = .mark(id, isDone: isDone)
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
