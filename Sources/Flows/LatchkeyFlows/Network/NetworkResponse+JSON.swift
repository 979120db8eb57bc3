package import LatchkeyForms
package import LatchkeySecrets

/// The encoding of responses in `--json` and in the HTTP API.
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

    /// The response with its secrets. They are never converted to a `String`.
    package var jsonWithSecrets: Secret { json.encoded(adding: disclosure?.members ?? []) }

    /// The number of seconds that a throttled caller must wait; nil for any other response.
    package var secondsToWait: Int? {
        guard case .throttled(let retryAfter) = outcome else { return nil }
        return retryAfter.wholeSecondsRoundedUp
    }
}

extension FactorDisclosure {
    /// The secrets for a program, one per line: the URI, or the codes.
    package var secretLines: [Secret] {
        switch self {
        case .authenticator(let uri, _): [uri]
        case .savedCodes(let codes): codes
        }
    }

    /// The members of the secrets in `--json` and in the HTTP API.
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

    /// Parses a value from ``json``; nil for any other value.
    package init?(json: JSONValue) {
        guard let count = json["count"]?.integer, let lastAt = json["last_at"]?.string else { return nil }
        self.init(count: count, lastAt: lastAt)
    }
}

extension AccountSummary {
    /// The `account` object of `--json`.
    package var json: JSONValue {
        var members: [(key: String, value: JSONValue)] = [
            ("id", .string(id)), ("username", username.map { .string($0) } ?? .null), ("email", .string(email)),
            ("attributes", .object(values: attributes)),
            ("state", .string(state)), ("created_at", .string(createdAt)),
        ]
        if let groups { members.append(("groups", .array(groups.map { .string($0) }))) }
        return .object(members)
    }

    /// Parses a value from ``json``; nil for any other value.
    package init?(json: JSONValue) {
        guard let id = json["id"]?.string, let username = json["username"], let email = json["email"]?.string,
            let attributes = json["attributes"]?.fieldValues, let state = json["state"]?.string,
            let createdAt = json["created_at"]?.string
        else { return nil }
        if username != .null, username.string == nil { return nil }
        // A service of an earlier version does not send groups.
        let groups = json["groups"].map { $0.elements?.map(\.string) ?? [nil] }
        guard groups?.allSatisfy({ $0 != nil }) ?? true else { return nil }
        self.init(
            id: id, username: username.string, email: email, attributes: attributes, state: state, createdAt: createdAt,
            groups: groups?.compactMap(\.self))
    }
}
