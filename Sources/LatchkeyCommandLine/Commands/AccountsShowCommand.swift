import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking

/// `accounts show`: an account, and its throttle.
struct AccountsShowCommand {
    static let spec = CommandSpec(
        words: ["accounts", "show"], summary: "Show an account",
        about: "Show an account. NAME is a username, an e-mail address or an id.",
        operand: .account, statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey accounts show ada", "latchkey accounts show ada@example.org --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        let account = try await installation.account(named: context.operand)
        let throttle = try await installation.asking { (service) async throws(AccountError) in
            try await service.throttle(of: .id(account.id))
        }
        let command = AccountsShowCommand(account: account, throttle: throttle, messages: context.messages)
        return .lines(command.lines, json: command.members)
    }

    let account: Account
    let throttle: ThrottleStatus
    let messages: MessageTable

    private var secondsToWait: Int { throttle.retryAfter.wholeSecondsRoundedUp }

    private var members: CommandResult.Members {
        var lane: CommandResult.Members = [("failures", .integer(throttle.failures))]
        if let lastAt = throttle.lastAt { lane.append(("last_at", .string(lastAt.rfc3339))) }
        if secondsToWait > 0 { lane.append(("retry_after", .integer(secondsToWait))) }
        if throttle.demandsRecovery { lane.append(("recovery_needed", .bool(true))) }
        var members: CommandResult.Members = [
            ("account", AccountSummary(account).json), ("throttle", .object(lane)),
            ("must_change_password", .bool(account.mustChangePassword)),
        ]
        if let end = account.passwordExpiresAt { members.append(("password_expires_at", .string(end.rfc3339))) }
        return members
    }

    private var lines: [String] {
        let summary = AccountSummary(account)
        var rows = [
            ("account.id", summary.id), ("account.username", summary.username), ("account.email", summary.email),
            ("account.state", summary.state), ("account.created", summary.createdAt),
        ]
        func add(_ label: String, _ code: String, _ values: [String: RuleFailure.Value] = [:]) {
            rows.append((label, messages.sentence(code, values)))
        }
        if let end = account.passwordExpiresAt {
            add("account.password", "account.generated", ["time": .text(end.rfc3339)])
        }
        if account.mustChangePassword { add("account.password", "account.must_change") }
        if let lastAt = throttle.lastAt, throttle.failures > 0 {
            add(
                "account.failed_logins", "account.failed_since",
                ["count": .integer(throttle.failures), "time": .text(lastAt.rfc3339)])
        }
        if secondsToWait > 0 {
            add("account.locked", "account.locked_for", ["seconds": .integer(secondsToWait)])
        }
        if throttle.demandsRecovery { add("account.recovery", "account.recovery_needed") }
        let labelled = rows.map { (messages.sentence($0.0), $0.1) }
        return (labelled + summary.attributes.sorted { $0.key < $1.key }).map { "\($0.0): \($0.1)" }
    }
}
