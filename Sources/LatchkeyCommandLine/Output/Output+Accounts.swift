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
    func details(of account: Account, _ throttle: ThrottleStatus) throws(ToolFailure) {
        let summary = AccountSummary(account)
        let seconds = throttle.retryAfter.wholeSecondsRoundedUp
        guard !json else {
            var lane: [(key: String, value: JSONValue)] = [("failures", .integer(throttle.failures))]
            if let lastAt = throttle.lastAt { lane.append(("last_at", .string(lastAt.rfc3339))) }
            if seconds > 0 { lane.append(("retry_after", .integer(seconds))) }
            if throttle.demandsRecovery { lane.append(("recovery_needed", .bool(true))) }
            var members: [(key: String, value: JSONValue)] = [("account", summary.json), ("throttle", .object(lane))]
            if let end = account.passwordExpiresAt { members.append(("password_expires_at", .string(end.rfc3339))) }
            return try success(members)
        }
        var rows = [
            ("id", summary.id), ("username", summary.username), ("email", summary.email), ("state", summary.state),
            ("created", summary.createdAt),
        ]
        if let end = account.passwordExpiresAt { rows.append(("password", "generated; opens until \(end.rfc3339)")) }
        if account.mustChangePassword { rows.append(("password", "must be changed at the next login")) }
        if let lastAt = throttle.lastAt, throttle.failures > 0 {
            rows.append(("failed logins", "\(throttle.failures) since the last one, the newest at \(lastAt.rfc3339)"))
        }
        if seconds > 0 { rows.append(("locked", "for \(seconds) s; accounts unlock ends that")) }
        if throttle.demandsRecovery {
            rows.append(("recovery", "needed; no password opens the account after so many failures"))
        }
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
