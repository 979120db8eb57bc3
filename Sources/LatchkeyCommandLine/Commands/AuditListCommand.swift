import LatchkeyAccounts
import LatchkeyForms

/// `audit list` and `audit follow`: read the trail page by page, so that memory stays bounded and other processes can write
/// in between.
struct AuditListCommand {
    private static let filters = [
        FlagSpec("account", value: "NAME", "List only records of this account: a username, an e-mail address or an id"),
        FlagSpec("event", value: "EVENT", of: .oneOf(AuditEvent.allCases.map(\.rawValue)), "List only this event"),
        FlagSpec("since", value: "TIME", "List only records since this time (RFC 3339, UTC) or day"),
    ]

    static let list = CommandSpec(
        words: ["audit", "list"], summary: "List the audit trail",
        about:
            "List the records of the audit trail, oldest first: number, time, event, account, actor, and the reason for"
            + " a failure; with --json one object a line.",
        flags: filters + [
            FlagSpec("limit", value: "N", "List only the newest N records"),
            FlagSpec("mine", "List only records of the signed-in account"),
        ],
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: [
            "latchkey audit list --account ada --since 2026-01-02",
            "latchkey audit list --event authn_login_fail --json",
            "latchkey audit list --mine --limit 20",
        ]
    ) { (context) async throws(ToolFailure) in
        try await AuditListCommand(context).list()
        return .printed
    }

    static let follow = CommandSpec(
        words: ["audit", "follow"], summary: "Print audit records as they are written",
        about:
            "Print each new record of the audit trail within about a second, until a signal arrives; with --since, print"
            + " the earlier records first.",
        flags: filters, statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey audit follow", "latchkey audit follow --event excess_rate_limit_exceeded --json"]
    ) { (context) async throws(ToolFailure) in
        try await AuditListCommand(context).follow()
        return .printed
    }

    private let context: CommandContext
    private let installation: Installation
    private let filter: AuditFilter

    private init(_ context: CommandContext) async throws(ToolFailure) {
        self.context = context
        installation = try await Installation.open(context, creating: false, checkingKeys: false)
        filter = try await Self.filter(context.invocation, installation)
    }

    private func list() async throws(ToolFailure) {
        let limit = try context.invocation.number("limit", in: 1...Int.max)
        var newest: [AuditRow] = []
        var last: Int64 = 0
        while let page = try await page(after: last), let end = page.last {
            last = end
            if let limit {
                newest += page.rows
                newest.removeFirst(max(newest.count - limit, 0))
            } else {
                for row in page.rows { try context.output.row(row.line, json: row.json) }
            }
        }
        for row in newest { try context.output.row(row.line, json: row.json) }
    }

    /// Never returns.
    private func follow() async throws(ToolFailure) {
        var last: Int64 = 0
        if filter.since == nil {
            let end = try await installation.asking { (service) async throws(AccountError) in
                try await service.auditEnd()
            }
            last = end?.sequence ?? 0
        }
        while true {
            if let page = try await pageInTime(after: last), let end = page.last {
                for row in page.rows { try context.output.row(row.line, json: row.json) }
                last = end
            } else {
                // SQLite does not notify of another process's commit, so this polls.
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    /// Nil while another process locks the store; the caller tries again.
    private func pageInTime(after last: Int64) async throws(ToolFailure) -> AuditPage? {
        do throws(ToolFailure) { return try await page(after: last) } catch {
            guard error.status == .unavailable else { throw error }
            return nil
        }
    }

    private func page(after last: Int64) async throws(ToolFailure) -> AuditPage? {
        guard context.invocation.has("mine") else {
            return try await installation.asking { (service) async throws(AccountError) in
                try await service.auditPage(after: last, matching: filter)
            }
        }
        guard let token = try await installation.token() else { throw ToolFailure(.noSession) }
        return try await installation.asking { (service) async throws(AccountError) in
            try await service.auditPage(ofOwner: token, after: last, matching: filter)
        }
    }

    // MARK: Flags

    private static func filter(
        _ invocation: Invocation, _ installation: Installation
    ) async throws(ToolFailure) -> AuditFilter {
        var filter = AuditFilter()
        if let event = invocation.value("event") {
            let name = event.text ?? "\u{FFFD}"
            guard AuditEvent(rawValue: name) != nil else { throw unknownEvent(name) }
            filter.event = name
        }
        if let since = invocation.value("since") {
            guard let time = since.text.flatMap({ Timestamp(rfc3339: $0) }) else {
                throw .badTime(name: "--since")
            }
            filter.since = time
        }
        if let account = invocation.value("account") {
            guard !invocation.has("mine") else { throw .auditMineAlone }
            // A deleted account still has records, under its id.
            if let id = account.text.flatMap({ AccountID($0) }) {
                filter.account = id
            } else {
                filter.account = try await installation.account(named: account.text).id
            }
        }
        return filter
    }

    private static func unknownEvent(_ name: String) -> ToolFailure {
        guard let nearest = Suggestion.nearest(to: name, among: AuditEvent.allCases.map(\.rawValue)) else {
            return .unknownEvent(event: name)
        }
        return .unknownEventSuggestion(event: name, nearest: nearest)
    }
}

extension AuditActor {
    fileprivate var text: String {
        switch self {
        case .owner: "owner"
        case .operatingSystemUser(let number): "uid:\(number)"
        }
    }
}

extension AuditRow {
    fileprivate var line: String {
        guard let record else { return "\(sequence)  unreadable" }
        var words = [
            String(record.sequence), record.time.rfc3339Milliseconds, record.name, record.account?.text ?? "-",
            record.actor.text,
        ]
        if !record.reason.isEmpty { words.append(record.reason) }
        return words.joined(separator: "  ")
    }

    fileprivate var json: JSONValue {
        func text(_ text: String?) -> JSONValue { text.map { $0.isEmpty ? .null : .string($0) } ?? .null }
        let number = ("sequence", JSONValue.integer(Int(sequence)))
        let hash = ("hash", JSONValue.string(Hexadecimal.text(of: hash)))
        guard let record else { return .object([number, ("unreadable", .bool(true)), hash]) }
        let context = record.context
        return .object([
            number, ("time", .string(record.time.rfc3339Milliseconds)), ("event", .string(record.name)),
            ("level", text(record.event?.level.rawValue)), ("account", text(record.account?.text)),
            ("actor", .string(record.actor.text)), ("actor_account", text(context?.actingAccount?.text)),
            ("uid", context.map { .integer(Int($0.processUser)) } ?? .null), ("source", text(context?.source)),
            ("request", .string(record.requestID)), ("reason", text(record.reason)),
            ("since_boot_ms", context.map { .integer(Int($0.sinceBoot)) } ?? .null), ("boot", text(context?.bootID)),
            ("version", text(context?.version)), hash,
        ])
    }
}
