import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking

/// `accounts list`: reads one page at a time, to limit memory and to let other processes write in between.
struct AccountsListCommand {
    static let spec = CommandSpec(
        words: ["accounts", "list"], summary: "List accounts",
        about:
            "List accounts in the order of their usernames, or addresses without one: name, address, state, creation and"
            + " last login. In a pipe or file, print a line for each, with a tab between the cells; with --json one object a line."
            + " Memory use does not grow with their number, and other processes can write meanwhile.",
        flags: [
            FlagSpec(
                "state", value: "STATE", of: .oneOf(AccountFilter.State.allCases.map(\.rawValue)),
                "List only accounts that are " + AccountFilter.State.allCases.map(\.rawValue).joined(separator: ", ")),
            FlagSpec("group", value: "GROUP", of: .text, "List only the members of a group"),
            FlagSpec(
                "factor", value: "none", of: .oneOf(["none"]), "List only accounts without a second factor or passkey"),
            FlagSpec("match", value: "TEXT", "List only accounts with TEXT in the username or e-mail address"),
            FlagSpec("after", value: "NAME", "Start after this username or address, which need not exist"),
            FlagSpec("limit", value: "N", "List at most N accounts"), .utc,
        ],
        statuses: [.done] + ExitStatus.ofStores,
        examples: [
            "latchkey accounts list", "latchkey accounts list --state disabled --match @example.org --json",
            "latchkey accounts list --group staff --factor none", "latchkey accounts list --after ada --limit 100",
        ]
    ) { (context) async throws(ToolFailure) in try await AccountsListCommand(context: context).run() }

    let context: CommandContext

    /// The number of accounts to read per transaction.
    private static let pageSize = 500

    private func run() async throws(ToolFailure) -> CommandResult {
        let filter = try filter()
        var left = try context.invocation.number("limit", in: 1...Int.max) ?? .max
        var last = try text("after").map { LoginName(mapping: $0) }
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        if let group = filter.group {
            _ = try await installation.asking { (service) async throws(AccountError) in try await service.group(group) }
        }
        var table = ListTable(
            context, titles: ["list.name", "list.email", "list.state", "list.created", "list.last_login"])
        let never = context.messages.sentence("list.never")
        // One more account is read for people, who see whether the list continues.
        let lookahead = table.isForPeople ? 1 : 0
        var name: String?
        while left > 0 || lookahead > 0 {
            // Without a filter, it reads no more rows than it prints.
            let count = filter.isAll && left < Self.pageSize ? left + lookahead : Self.pageSize
            let page = try await installation.asking { (service) async throws(AccountError) in
                try await service.accounts(matching: filter, after: last, lookingAt: count)
            }
            // Only objects have the groups.
            let ids = context.output.json ? page.accounts.prefix(left).map(\.id) : []
            let groups = try await installation.asking { (service) async throws(AccountError) in
                try await service.groups(of: ids)
            }
            for account in page.accounts.prefix(left) {
                let summary = AccountSummary(account)
                name = summary.name
                table.add(
                    [
                        .text(summary.name), .text(summary.email), .text(summary.state), .time(account.createdAt),
                        account.lastLoginAt.map { .time($0) } ?? .text(never),
                    ], json: account.operatorJSON(groups: groups[account.id] ?? []))
            }
            try table.endPage()
            if page.accounts.count > left, let name {
                context.output.note(
                    context.messages.sentence(
                        "list.accounts_more", ["count": .integer(table.count), "name": .text(name)]))
                return .printed
            }
            guard let end = page.last else { break }
            last = end
            left -= min(left, page.accounts.count)
        }
        try table.finish(
            counted: "list.accounts",
            none: filter.isAll && last == nil ? "list.accounts_none" : "list.accounts_no_match")
        return .printed
    }

    private func filter() throws(ToolFailure) -> AccountFilter {
        var state: AccountFilter.State?
        if let given = context.invocation.value("state") {
            state = given.text.flatMap { AccountFilter.State(rawValue: $0) }
            guard state != nil else {
                throw .unknownState(known: AccountFilter.State.allCases.map(\.rawValue).joined(separator: ", "))
            }
        }
        let factor = try text("factor")
        guard factor == nil || factor == "none" else { throw .badValue("--factor", .choice(known: "none")) }
        return AccountFilter(
            state: state, matching: try text("match"), in: try context.groupsOfFlag().first, hasNoFactor: factor != nil)
    }

    private func text(_ flag: String) throws(ToolFailure) -> String? {
        guard let given = context.invocation.value(flag) else { return nil }
        guard let text = given.text else { throw .noText(flag: flag) }
        return text
    }
}

/// `accounts show`: an account and its throttle.
struct AccountsShowCommand {
    static let spec = CommandSpec(
        words: ["accounts", "show"], summary: "Show accounts",
        about: "Show an account. NAME is a username, an e-mail address or an id; there may be several.",
        operand: .accounts, flags: [.utc], statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey accounts show ada", "latchkey accounts show ada@example.org --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        return try await context.forEachName { (name) async throws(ToolFailure) in
            let account = try await installation.account(named: name.text)
            let (throttle, groups) = try await installation.asking { (service) async throws(AccountError) in
                (try await service.throttle(of: .id(account.id)), try await service.groups(of: .id(account.id)))
            }
            let command = AccountsShowCommand(context: context, account: account, groups: groups, throttle: throttle)
            return .sentences(command.lines, json: command.members)
        }
    }

    let context: CommandContext
    let account: Account
    let groups: [GroupName]
    let throttle: ThrottleStatus

    private var messages: MessageTable { context.messages }

    private var secondsToWait: Int { throttle.retryAfter.wholeSecondsRoundedUp }

    private var members: CommandResult.Members {
        var lane: CommandResult.Members = [("failures", .integer(throttle.failures))]
        if let lastAt = throttle.lastAt { lane.append(("last_at", .string(lastAt.rfc3339))) }
        if secondsToWait > 0 { lane.append(("retry_after", .integer(secondsToWait))) }
        if throttle.demandsRecovery { lane.append(("recovery_needed", .bool(true))) }
        var members: CommandResult.Members = [
            ("account", account.operatorJSON(groups: groups)), ("throttle", .object(lane)),
            ("must_change_password", .bool(account.mustChangePassword)),
        ]
        if let end = account.passwordExpiresAt { members.append(("password_expires_at", .string(end.rfc3339))) }
        return members
    }

    private var lines: [String] {
        let summary = AccountSummary(account)
        var rows = [("account.id", summary.id)]
        if let username = summary.username { rows.append(("account.username", username)) }
        rows += [
            ("account.email", summary.email), ("account.state", summary.state),
            ("account.created", context.shown(account.createdAt)),
            (
                "account.last_login",
                account.lastLoginAt.map { context.shown($0) } ?? messages.sentence("list.never")
            ),
        ]
        if !groups.isEmpty { rows.append(("account.groups", groups.map(\.text).joined(separator: ", "))) }
        func add(_ label: String, _ code: String, _ values: [String: RuleFailure.Value] = [:]) {
            rows.append((label, messages.sentence(code, values)))
        }
        if let end = account.passwordExpiresAt {
            add("account.password", "account.generated", ["time": .text(context.shown(end))])
        }
        if account.mustChangePassword { add("account.password", "account.must_change") }
        if let lastAt = throttle.lastAt, throttle.failures > 0 {
            add(
                "account.failed_logins", "account.failed_since",
                ["count": .integer(throttle.failures), "time": .text(context.shown(lastAt))])
        }
        if secondsToWait > 0 {
            add("account.locked", "account.locked_for", ["seconds": .integer(secondsToWait)])
        }
        if throttle.demandsRecovery { add("account.recovery", "account.recovery_needed") }
        let labelled = rows.map { (messages.sentence($0.0), $0.1) }
        return (labelled + summary.attributes.sorted { $0.key < $1.key }.map { ($0.key, $0.value.text) }).map {
            "\($0.0): \($0.1)"
        }
    }
}
