import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking

extension Output {
    /// Who somebody is: the username, or with `--json` all that they may know of themselves.
    func account(_ account: Account) throws(ToolFailure) {
        guard json else { return try result(account.username.typed) }
        try result(NetworkResponse.success(AccountSummary(account)).json)
    }

    /// One account, a line for each thing that is known.
    func details(of account: Account, _ throttle: ThrottleStatus, _ messages: MessageTable) throws(ToolFailure) {
        let summary = AccountSummary(account)
        let seconds = throttle.retryAfter.wholeSecondsRoundedUp
        guard !json else {
            var lane: [(key: String, value: JSONValue)] = [("failures", .integer(throttle.failures))]
            if let lastAt = throttle.lastAt { lane.append(("last_at", .string(lastAt.rfc3339))) }
            if seconds > 0 { lane.append(("retry_after", .integer(seconds))) }
            if throttle.demandsRecovery { lane.append(("recovery_needed", .bool(true))) }
            var members: [(key: String, value: JSONValue)] = [("account", summary.json), ("throttle", .object(lane))]
            members.append(("must_change_password", .bool(account.mustChangePassword)))
            if let end = account.passwordExpiresAt { members.append(("password_expires_at", .string(end.rfc3339))) }
            return try success(members)
        }
        var rows = [
            ("account.id", summary.id), ("account.username", summary.username), ("account.email", summary.email),
            ("account.state", summary.state), ("account.created", summary.createdAt),
        ]
        if let end = account.passwordExpiresAt {
            rows.append(("account.password", messages.sentence("account.generated", ["time": .text(end.rfc3339)])))
        }
        if account.mustChangePassword {
            rows.append(("account.password", messages.sentence("account.must_change")))
        }
        if let lastAt = throttle.lastAt, throttle.failures > 0 {
            let values: [String: RuleFailure.Value] = [
                "count": .integer(throttle.failures), "time": .text(lastAt.rfc3339),
            ]
            rows.append(("account.failed_logins", messages.sentence("account.failed_since", values)))
        }
        if seconds > 0 {
            rows.append(("account.locked", messages.sentence("account.locked_for", ["seconds": .integer(seconds)])))
        }
        if throttle.demandsRecovery {
            rows.append(("account.recovery", messages.sentence("account.recovery_needed")))
        }
        rows = rows.map { (messages.sentence($0.0), $0.1) }
        rows += summary.attributes.sorted { $0.key < $1.key }
        for (name, value) in rows { try result("\(name): \(value)") }
    }

    /// One account among others.
    func row(of account: Account) throws(ToolFailure) {
        let summary = AccountSummary(account)
        guard !json else { return try result(summary.json) }
        try result("\(summary.username)  \(summary.email)  \(summary.state)  \(summary.createdAt)")
    }
}
