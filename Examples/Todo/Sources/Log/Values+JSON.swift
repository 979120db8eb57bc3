import LatchkeyForms

extension FormTexts {
    var members: Logged.Members { TodoForm.keys.map { ($0.rawValue, .string(self[$0] ?? "")) } }

    init?(json: JSONValue) {
        self.init()
        for key in TodoForm.keys {
            guard let text = json[key.rawValue]?.string else { return nil }
            self[key] = text
        }
    }
}

extension TodoDraft {
    var members: Logged.Members { texts.members }
}

extension ListQuery {
    var members: Logged.Members {
        [("filter", .string(filter.rawValue)), ("order", .string(order.rawValue)), ("search", .string(search))]
    }

    init?(json: JSONValue) {
        guard let filter = json["filter"]?.string.flatMap(Filter.init), let search = json["search"]?.string,
            let order = json["order"]?.string.flatMap(Order.init)
        else { return nil }
        self.init(filter: filter, order: order, search: search)
    }
}

extension Todo {
    var json: JSONValue {
        .object(
            [("id", .integer(id)), ("done", .bool(isDone)), ("deleted", .bool(isDeleted)), ("place", .integer(place))]
                + draft.members)
    }

    init?(json: JSONValue) {
        guard let id = json["id"]?.integer, case .bool(let isDone)? = json["done"],
            case .bool(let isDeleted)? = json["deleted"], let place = json["place"]?.integer,
            let draft = FormTexts(json: json).flatMap(TodoDraft.init(texts:))
        else { return nil }
        self.init(id: id, draft: draft, isDone: isDone, isDeleted: isDeleted, place: place)
    }
}

extension TodoList {
    var members: Logged.Members {
        let rows = rows.map { row -> JSONValue in
            .object([
                ("id", .integer(row.id)), ("title", .string(row.title)), ("done", .bool(row.isDone)),
                ("remark", .string(row.remark)),
            ])
        }
        return [("rows", .array(rows)), ("summary", .string(summary))]
    }
}

extension RowChanges {
    var members: Logged.Members {
        [("inserted", inserted), ("removed", removed), ("changed", changed)].map { key, ids in
            (key, .array(ids.map(JSONValue.integer)))
        }
    }
}

extension [RuleFailure] {
    var members: Logged.Members {
        let failures = map { failure -> JSONValue in
            .object([
                ("field", failure.field.map { .string($0.rawValue) } ?? .null),
                ("code", .string(failure.code.rawValue)),
            ])
        }
        return [("failures", .array(failures))]
    }
}
