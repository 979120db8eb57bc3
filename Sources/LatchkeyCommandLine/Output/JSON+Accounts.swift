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
