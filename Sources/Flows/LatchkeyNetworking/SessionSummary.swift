package import LatchkeyAccounts
package import LatchkeyFlows
package import LatchkeyForms

/// A session with its account, as shown to its owner.
package struct OwnSession: Sendable {
    package let account: AccountSummary
    /// Whether the session has full permissions. If false, it can only change the password and log out.
    package let isFull: Bool
    /// Whether the owner entered the password recently.
    package let hasRecentPassword: Bool

    /// Creates the session of `account`.
    package init(account: AccountSummary, isFull: Bool, hasRecentPassword: Bool) {
        self.account = account
        self.isFull = isFull
        self.hasRecentPassword = hasRecentPassword
    }
}

/// One active session of an account.
package struct SessionSummary: Sendable {
    package let id: String
    package let createdAt: Timestamp
    package let lastUsedAt: Timestamp
    package let source: String
    /// Whether this is the caller's session.
    package let isOwn: Bool

    /// Creates a summary from the session that the service returned.
    package init(_ session: Session, isOwn: Bool) {
        id = session.shortID
        createdAt = session.createdAt
        lastUsedAt = session.lastUsedAt
        source = session.source
        self.isOwn = isOwn
    }

    /// The members of the summary in `--json` and in the HTTP API.
    package var members: [(key: String, value: JSONValue)] {
        [
            ("id", .string(id)), ("created_at", .string(createdAt.rfc3339)),
            ("last_used_at", .string(lastUsedAt.rfc3339)), ("source", .string(source)),
        ]
    }

    /// The ``members`` with `current`, for lists of sessions.
    package var json: JSONValue { .object(members + [("current", .bool(isOwn))]) }

    /// Parses a value from ``json``; nil if a member is missing or invalid.
    package init?(json: JSONValue) {
        guard let id = json["id"]?.string, let source = json["source"]?.string,
            case .bool(let isOwn)? = json["current"],
            let created = json["created_at"]?.string.flatMap({ Timestamp(rfc3339: $0) }),
            let used = json["last_used_at"]?.string.flatMap({ Timestamp(rfc3339: $0) })
        else { return nil }
        (self.id, self.source, self.isOwn, createdAt, lastUsedAt) = (id, source, isOwn, created, used)
    }
}

extension LiveSession {
    /// The session with its account, in the lists that operators get.
    package var operatorJSON: JSONValue {
        .object(
            SessionSummary(session, isOwn: false).members + [
                ("current", .bool(false)), ("account", .string(account.id.text)), ("name", .string(account.name)),
            ])
    }
}
