package import LatchkeyForms
package import LatchkeySecrets

/// The form of a response in a recording.
extension NetworkResponse {
    /// For example `{"outcome":"throttled","code":"throttled","retry_after_ms":27000}`.
    package var recorded: JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        func add(_ outcome: String) {
            members += [("outcome", .string(outcome)), ("code", .string(code.rawValue))]
        }
        switch outcome {
        case .success: add("success")
        case .mustChangePassword: add("must_change_password")
        case .unavailable: add("unavailable")
        case .refused(let failures):
            add("refused")
            members.append(("failures", .array(failures.map(\.json))))
        case .throttled(let retryAfter):
            add("throttled")
            members.append(("retry_after_ms", .integer(Int(retryAfter.millisecondsRoundedUp))))
        }
        if let account { members.append(("account", account.json)) }
        if let failedLogins { members.append(("failed_logins", failedLogins.json)) }
        if let outbox { members.append(("outbox", .string(outbox))) }
        return .object(members)
    }

    /// Reads a recorded response.
    ///
    /// - Returns: nil for anything that this version does not know.
    package init?(recorded json: JSONValue) {
        guard let code = json["code"]?.string.flatMap(Code.init), let name = json["outcome"]?.string else { return nil }
        var account: AccountSummary?
        if let given = json["account"] {
            guard let summary = AccountSummary(json: given) else { return nil }
            account = summary
        }
        var failedLogins: FailedLoginsSummary?
        if let given = json["failed_logins"] {
            guard let summary = FailedLoginsSummary(json: given) else { return nil }
            failedLogins = summary
        }
        guard let outcome = Outcome(named: name, json) else { return nil }
        self.init(
            code: code, outcome: outcome, account: account, failedLogins: failedLogins,
            outbox: json["outbox"]?.string)
    }
}

/// The form of a response in `--json` and in the HTTP API.
extension NetworkResponse {
    /// A success: `{"ok":true,"status":200,"code":"success","account":{…}}`.
    package var json: JSONValue {
        var members: [(key: String, value: JSONValue)] = [
            ("ok", .bool(true)), ("status", .integer(status)), ("code", .string(code.rawValue)),
        ]
        if let account { members.append(("account", account.json)) }
        if let failedLogins { members.append(("failed_logins", failedLogins.json)) }
        return .object(members)
    }

    /// The response with its secrets, which never become a `String`.
    package var jsonWithSecrets: Secret { json.encoded(adding: disclosure?.members ?? []) }

    /// How long a throttled caller waits; nil for any other response.
    package var secondsToWait: Int? {
        guard case .throttled(let retryAfter) = outcome else { return nil }
        return retryAfter.wholeSecondsRoundedUp
    }
}

extension NetworkResponse.Outcome {
    fileprivate init?(named name: String, _ json: JSONValue) {
        switch name {
        case "success": self = .success
        case "must_change_password": self = .mustChangePassword
        case "unavailable": self = .unavailable
        case "refused":
            guard case .array(let elements)? = json["failures"] else { return nil }
            let failures = elements.compactMap(RuleFailure.init(json:))
            guard failures.count == elements.count else { return nil }
            self = .refused(failures)
        case "throttled":
            guard case .integer(let milliseconds)? = json["retry_after_ms"],
                0...Duration.longestWait ~= Int64(milliseconds)
            else { return nil }
            self = .throttled(retryAfter: .milliseconds(milliseconds))
        default: return nil
        }
    }
}

extension FactorDisclosure {
    /// What a program reads, one secret a line: the URI, or the codes.
    package var secretLines: [Secret] {
        switch self {
        case .authenticator(let uri, _): [uri]
        case .savedCodes(let codes): codes
        }
    }

    /// Its members in `--json` and in the HTTP API.
    package var members: [(name: String, value: SecretMember)] {
        switch self {
        case .authenticator(let uri, let secret): [("uri", .text(uri)), ("secret", .text(secret))]
        case .savedCodes(let codes): [("saved_codes", .list(codes))]
        }
    }
}

extension FailedLoginsSummary {
    /// `{"count":3,"last_at":"…"}`
    package var json: JSONValue { .object([("count", .integer(count)), ("last_at", .string(lastAt))]) }

    /// Reads the value that ``json`` returned; nil for any other.
    package init?(json: JSONValue) {
        guard let count = json["count"]?.integer, let lastAt = json["last_at"]?.string else { return nil }
        self.init(count: count, lastAt: lastAt)
    }
}

extension AccountSummary {
    /// The `account` object of `--json`.
    package var json: JSONValue {
        .object([
            ("id", .string(id)), ("username", username.map { .string($0) } ?? .null), ("email", .string(email)),
            ("attributes", .object(values: attributes)),
            ("state", .string(state)), ("created_at", .string(createdAt)),
        ])
    }

    /// Reads the value that ``json`` returned; nil for any other.
    package init?(json: JSONValue) {
        guard let id = json["id"]?.string, let username = json["username"], let email = json["email"]?.string,
            let attributes = json["attributes"]?.fieldValues, let state = json["state"]?.string,
            let createdAt = json["created_at"]?.string
        else { return nil }
        if username != .null, username.string == nil { return nil }
        self.init(
            id: id, username: username.string, email: email, attributes: attributes, state: state, createdAt: createdAt)
    }
}

extension Duration {
    /// Longer than any real wait: a hundred years, in milliseconds.
    package static let longestWait: Int64 = 3_155_760_000_000

    /// From 0 to ``longestWait``.
    fileprivate var millisecondsRoundedUp: Int64 {
        let (seconds, attoseconds) = components
        guard seconds < Self.longestWait / 1000 else { return Self.longestWait }
        let part: Int64 = 1_000_000_000_000_000
        return seconds < 0 ? 0 : seconds * 1000 + attoseconds / part + (attoseconds % part > 0 ? 1 : 0)
    }
}
