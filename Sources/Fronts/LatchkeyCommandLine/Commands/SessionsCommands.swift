import Glibc
import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking

/// `sessions list`: lists the active sessions of an account.
enum SessionsListCommand {
    static let spec = CommandSpec(
        words: ["sessions", "list"], summary: "List the active sessions",
        about: "List the active sessions of the logged-in account, the one used last first: id, last use, creation,"
            + " address, and whether it is the current one. In a pipe or file, print a line for each, with a tab between"
            + " the cells; with --json one object a line. Tokens are never shown. With --everyone, list the sessions of all"
            + " accounts with their names.",
        flags: [
            .sessionAccount, FlagSpec("everyone", "List the sessions of all accounts, as the owner of the store"), .utc,
        ], worksOverServer: true, statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey sessions list", "latchkey sessions list --account ada --json"]
    ) { (context) async throws(ToolFailure) in
        let sessions: [SessionSummary]
        if context.invocation.has("everyone") {
            guard !context.invocation.has("account") else { throw .flagsExclude(flag: "everyone", other: "account") }
            return try await listAll(context)
        }
        if context.invocation.has("account") {
            let installation = try await Installation.open(context, creating: false)
            sessions = try await installation.sessions(of: context.sessionAccount(in: installation))
        } else {
            let owner = try await context.owner()
            sessions = try await context.hinting("tool.sessions_of_others") { () async throws(ToolFailure) in
                try await owner.sessions()
            }
        }
        var table = ListTable(context, titles: ["list.id", "list.used", "list.created", "list.source", ""])
        for session in sessions {
            table.add(
                [
                    .id(session.id), .time(session.lastUsedAt), .time(session.createdAt),
                    .text(session.sourceForPeople(context.messages)),
                    .text(session.isOwn ? context.messages.sentence("list.this_one") : ""),
                ], json: session.json)
        }
        try table.finish(counted: "list.sessions", none: "list.sessions_none")
        return .printed
    }

    /// The number of sessions to read per transaction.
    private static let pageSize = 500

    private static func listAll(_ context: CommandContext) async throws(ToolFailure) -> CommandResult {
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        var table = ListTable(
            context, titles: ["list.name", "list.id", "list.used", "list.created", "list.source"])
        var place: SessionPlace?
        repeat {
            let page = try await installation.asking { [place] (service) async throws(AccountError) in
                try await service.sessions(after: place, lookingAt: pageSize)
            }
            for live in page.sessions {
                let session = SessionSummary(live.session, isOwn: false)
                table.add(
                    [
                        .text(live.account.name), .id(session.id), .time(session.lastUsedAt), .time(session.createdAt),
                        .text(session.sourceForPeople(context.messages)),
                    ],
                    json: live.operatorJSON)
            }
            try table.endPage()
            place = page.last
        } while place != nil
        try table.finish(counted: "list.sessions", none: "list.sessions_none")
        return .printed
    }
}

extension FlagSpec {
    static let sessionAccount = FlagSpec("account", value: "NAME", "Use this account, as the owner of the store")
}

extension CommandContext {
    /// Asks for something of the logged-in account. Without one, a note tells the owner of the store what to type.
    fileprivate func hinting<Value>(
        _ code: String, _ values: [String: RuleFailure.Value] = [:], _ ask: () async throws(ToolFailure) -> Value
    ) async throws(ToolFailure) -> Value {
        do throws(ToolFailure) { return try await ask() } catch {
            if case .response(let response, _) = error, response.code == .noSession, server == nil {
                output.note(messages.sentence(code, values))
            }
            throw error
        }
    }

    /// The account given for `--account`.
    func sessionAccount(in installation: Installation) async throws(ToolFailure) -> Account {
        try await installation.account(named: invocation.value("account")?.text)
    }
}

extension AccountOwner {
    /// The active sessions of the logged-in account.
    func sessions() async throws(ToolFailure) -> [SessionSummary] {
        _ = try await fullSession()
        return try await asking { (client, token) async throws(ClientError) in try await client.sessions(of: token) }
    }
}

extension SessionSummary {
    /// Whether the text can be the ID of a session: eight hexadecimal digits.
    fileprivate static func isID(_ text: String) -> Bool {
        text.utf8.count == 8 && text.allSatisfy(\.isHexDigit)
    }

    /// One row of a list, for people.
    func line(_ messages: MessageTable) -> String {
        messages.sentence(
            isOwn ? "tool.session_own" : "tool.session",
            [
                "created": .text(messages.relative(createdAt, now: SystemClock().now())),
                "used": .text(messages.relative(lastUsedAt, now: SystemClock().now())),
                "source": .text(sourceForPeople(messages)),
            ])
    }

    fileprivate func sourceForPeople(_ messages: MessageTable) -> String {
        source.isEmpty ? messages.sentence("tool.this_machine") : source
    }
}

/// `sessions revoke`: ends one session, all others, or all sessions.
struct SessionsRevokeCommand {
    static let spec = CommandSpec(
        words: ["sessions", "revoke"], summary: "End sessions",
        about: "End the session ID (from sessions list), all others, or all of them, at once and in every process."
            + " Requires a password given within the last 5 minutes: a terminal asks for it, a script logs in again"
            + " first. Print which applications have confirmed that they logged the user out, after at most 6 seconds;"
            + " a running service, or the next store maintain, repeats what failed.",
        operand: CommandSpec.Operand(name: "ID", isRequired: false),
        flags: [
            FlagSpec("others", "End all sessions but this one"), FlagSpec("all", "End all sessions"), .sessionAccount,
        ],
        worksOverServer: true, statuses: [.done, .no, .temporary] + ExitStatus.ofStores,
        examples: ["latchkey sessions revoke 3f9a1c02", "latchkey sessions revoke --others"]
    ) { (context) async throws(ToolFailure) in
        let choice = try SessionsRevokeCommand(context: context).choice()
        let ended: EndedSessions
        let outcomes: [LogoutOutcome]
        if context.invocation.has("account") {
            let installation = try await Installation.open(context, creating: false)
            ended = try await installation.endSessions(choice, of: context.sessionAccount(in: installation))
            outcomes = try await installation.outcomes(of: ended.logouts)
        } else {
            let owner = try await context.owner()
            let id = context.operand.flatMap { SessionSummary.isID($0) ? nil : $0 }
            ended = try await context.hinting(
                "tool.session_of_account", ["name": .text(id ?? "NAME")]
            ) { () async throws(ToolFailure) in try await owner.endSessions(choice) }
            outcomes = try await owner.outcomes(of: ended.logouts)
        }
        if case .one(let id) = choice, ended.count == 0 {
            if context.server == nil, !SessionSummary.isID(id) {
                context.output.note(context.messages.sentence("tool.session_of_account", ["name": .text(id)]))
            }
            throw .noSuchSession
        }
        return result(ended.count, Array(zip(ended.logouts.map(\.client), outcomes)), context.messages)
    }

    /// - Parameter logouts: an outcome for each notice to an application.
    static func result(
        _ count: Int, _ logouts: [(client: String, outcome: LogoutOutcome)], _ messages: MessageTable
    ) -> CommandResult {
        let logouts = logouts.sorted { ($0.client, $0.outcome.rawValue) < ($1.client, $1.outcome.rawValue) }
        // Several sessions can have used one application, which gets a notice for each.
        var lines: [String] = []
        var rest = logouts[...]
        while let (client, outcome) = rest.first {
            let others = rest.drop { $0 == (client, outcome) }
            lines.append(
                messages.sentence(
                    "tool.logout_" + outcome.rawValue,
                    ["id": .text(client), "count": .integer(rest.count - others.count)]))
            rest = others
        }
        let members = logouts.map { client, outcome in
            JSONValue.object([("client_id", .string(client)), ("outcome", .string(outcome.rawValue))])
        }
        return .lines(
            [messages.sentence("tool.sessions_ended", ["count": .integer(count)])] + lines,
            json: [("ended", .integer(count)), ("logouts", .array(members))])
    }

    let context: CommandContext

    private func choice() throws(ToolFailure) -> SessionChoice {
        let isOfAnother = context.invocation.has("account")
        switch (context.invocation.operands.first, context.invocation.has("others"), context.invocation.has("all")) {
        case (let id?, false, false): return .one(id.text ?? "")
        case (nil, true, false):
            guard !isOfAnother else { throw .othersOfAccount }
            return .others
        case (nil, false, true): return .all
        default: throw .sessionsChoice
        }
    }
}

/// `sessions create`: creates a session for a program that has verified the user itself.
enum SessionsCreateCommand {
    static let spec = CommandSpec(
        words: ["sessions", "create"], summary: "Create a session and print its token",
        about: "Create a session for an account without its password, as the owner of the store, and print its token,"
            + " which cannot be shown again. For a program that has verified the user itself. The session never counts"
            + " as one with a recent password. NAME is a username, an e-mail address or an id.",
        operand: .account, statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey sessions create ada", "latchkey sessions create ada --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false)
        let account = try await installation.account(named: context.operand)
        let signIn = try await installation.administering(account.id) { (service, user) async throws(AccountError) in
            try await service.createSession(of: .id(account.id), by: user)
        }
        return .secret(signIn.token, named: "token", of: .success(AccountSummary(signIn.account)))
    }
}

/// `sessions verify`: shows the account of a token that another program received.
enum SessionsVerifyCommand {
    static let spec = CommandSpec(
        words: ["sessions", "verify"], summary: "Verify a session token",
        about: "Read a session token from standard input, one line, and print its account.",
        statuses: [.done, .no, .data] + ExitStatus.ofStores,
        examples: [
            "printf '%s\\n' \"$TOKEN\" | latchkey sessions verify",
            "printf '%s\\n' \"$TOKEN\" | latchkey sessions verify --json",
        ]
    ) { (context) async throws(ToolFailure) in
        guard isatty(STDIN_FILENO) == 0 else { throw .secretFromTerminal(flag: "sessions verify") }
        let token = try SecretSource.line(
            maximumBytes: maximumTokenBytes, named: context.messages.sentence("tool.standard_input"))
        let installation = try await Installation.open(context, creating: false)
        let (live, groups) = try await installation.usableSession(of: token)
        return .lines(
            [live.account.name],
            json: [
                ("account", AccountSummary(live.account, groups: groups).json),
                ("session", .object(SessionSummary(live.session, isOwn: true).members)),
            ])
    }

    /// The maximum input in bytes, which is longer than any token.
    private static let maximumTokenBytes = 255
}
