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
    func details(of account: Account) throws(ToolFailure) {
        guard !json else { return try self.account(account) }
        let summary = AccountSummary(account)
        var rows = [
            ("id", summary.id), ("username", summary.username), ("email", summary.email), ("state", summary.state),
            ("created", summary.createdAt),
        ]
        if account.mustChangePassword { rows.append(("password", "must be changed at the next login")) }
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
