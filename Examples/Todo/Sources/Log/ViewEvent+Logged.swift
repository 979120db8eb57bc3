import LatchkeyForms

extension ViewRequest: Logged {
    var logged: (name: String, members: Members) {
        switch self {
        case .list: ("list", [])
        case .detail(let id): ("detail", [("id", .integer(id))])
        case .new(let draft): ("new", draft.members)
        case .update(let id, let draft): ("update", [("id", .integer(id))] + draft.members)
        case .toggle(let id): ("toggle", [("id", .integer(id))])
        case .delete(let id): ("delete", [("id", .integer(id))])
        case .close: ("close", [])
        }
    }

    /// - Returns: nil if this version does not know the request.
    init?(json: JSONValue) {
        switch (json["request"]?.string, json["id"]?.integer, TodoDraft(json: json)) {
        case ("list", _, _): self = .list
        case ("detail", let id?, _): self = .detail(id)
        case ("new", _, let draft?): self = .new(draft)
        case ("update", let id?, let draft?): self = .update(id, draft)
        case ("toggle", let id?, _): self = .toggle(id)
        case ("delete", let id?, _): self = .delete(id)
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
