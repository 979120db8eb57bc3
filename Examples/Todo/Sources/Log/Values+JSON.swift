import LatchkeyForms

extension [FieldKey: String] {
    /// The texts of the form.
    var members: Logged.Members { TodoForm.keys.map { ($0.rawValue, .string(self[$0] ?? "")) } }
}

extension TodoDraft {
    var members: Logged.Members { texts.members }

    init?(json: JSONValue) {
        var texts: [FieldKey: String] = [:]
        for key in TodoForm.keys {
            guard let text = json[key.rawValue]?.string else { return nil }
            texts[key] = text
        }
        self.init(texts: texts)
    }
}

extension Todo {
    var json: JSONValue {
        .object([("id", .integer(id)), ("done", .bool(isDone)), ("deleted", .bool(isDeleted))] + draft.members)
    }

    init?(json: JSONValue) {
        guard let id = json["id"]?.integer, case .bool(let isDone)? = json["done"],
            case .bool(let isDeleted)? = json["deleted"], let draft = TodoDraft(json: json)
        else { return nil }
        self.init(id: id, draft: draft, isDone: isDone, isDeleted: isDeleted)
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
