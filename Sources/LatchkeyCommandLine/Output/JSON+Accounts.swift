import LatchkeyFlows
import LatchkeyForms

extension NetworkResponse {
    /// What `--json` prints of an answer that is good news.
    var json: JSONValue {
        var members: [(key: String, value: JSONValue)] = [
            ("ok", .bool(true)), ("status", .integer(status)), ("code", .string(code.rawValue)),
        ]
        if let account { members.append(("account", account.json)) }
        if let failedLogins { members.append(("failed_logins", failedLogins.json)) }
        return .object(members)
    }
}

extension FailedLoginsSummary {
    var json: JSONValue { .object([("count", .integer(count)), ("last_at", .string(lastAt))]) }
}

extension AccountSummary {
    var json: JSONValue {
        .object([
            ("id", .string(id)), ("username", .string(username)), ("email", .string(email)),
            ("attributes", .object(attributes.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
            ("state", .string(state)), ("created_at", .string(createdAt)),
        ])
    }
}
