import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets

/// `audit list` and `audit follow`: read the trail one page at a time, to limit memory and to let other processes write
/// in between.
struct AuditListCommand {
    private static let filters = [
        FlagSpec("account", value: "NAME", "List only records of this account: a username, an e-mail address or an id"),
        FlagSpec(
            "event", value: "EVENT", of: .oneOf(AuditEvent.allCases.map(\.rawValue)),
            "List only this event; may be given several times",
            isRepeatable: true),
        FlagSpec("failed", "List only failed attempts and faults"),
        FlagSpec(
            "since", value: "TIME",
            "List only records since this time (RFC 3339, UTC) or day, or of the last 30m, 1h, 2d"),
        FlagSpec("source", value: "ADDRESS", "List only records of requests from this address (IPv4 or IPv6)"),
    ]

    static let list = CommandSpec(
        words: ["audit", "list"], summary: "List the audit trail",
        about:
            "List the records of the audit trail, oldest first: number, time, event, account, actor, the client's"
            + " address, and the reason for a failure. A deleted account is shown by its id. In a pipe or file, print a line for each, with a tab"
            + " between the cells; with --json one object a line, with the ids of accounts.",
        flags: filters + [
            FlagSpec("limit", value: "N", "List only the newest N records, or with --after the first N"),
            FlagSpec("after", value: "NUMBER", "Start after the record with this number"), .utc,
            FlagSpec("mine", "List only records of the logged-in account"),
        ],
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: [
            "latchkey audit list --account ada --since 2026-01-02",
            "latchkey audit list --event authn_login_fail --json",
            "latchkey audit list --mine --limit 20", "latchkey audit list --failed --since 1h",
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
        let after = try context.invocation.number("after", in: 0...Int.max)
        var printer = RowPrinter(context, installation)
        var newest: [AuditRow] = []
        var last = Int64(after ?? 0)
        while let page = try await page(after: last), let end = page.last {
            last = end
            guard let limit else {
                try await printer.show(page.rows)
                continue
            }
            if after != nil {
                try await printer.show(Array(page.rows.prefix(limit - printer.table.count)))
                if printer.table.count == limit { break }
            } else {
                newest += page.rows
                newest.removeFirst(max(newest.count - limit, 0))
            }
        }
        try await printer.show(newest)
        try printer.table.finish(
            counted: "list.records", none: filter.isEmpty ? "list.records_none" : "list.records_no_match")
    }

    /// Prints new records until a signal ends the process.
    private func follow() async throws(ToolFailure) {
        // A relative time would soon be out of date.
        var printer = RowPrinter(context, installation, showsFullTimes: true)
        var last: Int64 = 0
        if filter.since == nil {
            let end = try await installation.asking { (service) async throws(AccountError) in
                try await service.auditEnd()
            }
            last = end?.sequence ?? 0
        }
        while true {
            if let page = try await pageInTime(after: last), let end = page.last {
                try await printer.show(page.rows)
                last = end
            } else {
                // SQLite does not report commits of other processes, so this polls.
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    /// The next page; nil while another process locks the store. The caller then tries again.
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
        let token = try await AccountOwner(installation).heldToken()
        return try await installation.asking { (service) async throws(AccountError) in
            try await service.auditPage(ofOwner: token, after: last, matching: filter)
        }
    }

    // MARK: Flags

    private static func filter(
        _ invocation: Invocation, _ installation: Installation
    ) async throws(ToolFailure) -> AuditFilter {
        var filter = AuditFilter()
        let events = invocation.texts("event")
        for name in events where AuditEvent(rawValue: name) == nil { throw unknownEvent(name) }
        if !events.isEmpty { filter.events = Set(events) }
        if invocation.has("failed") {
            guard events.isEmpty else { throw .flagsExclude(flag: "failed", other: "event") }
            filter.events = Set(AuditEvent.allCases.filter(\.isFailure).map(\.rawValue))
        }
        if let since = invocation.value("since") {
            guard let time = since.text.flatMap({ Timestamp($0, now: SystemClock().now()) }) else {
                throw .badValue("--since", .time)
            }
            filter.since = time
        }
        if let source = invocation.value("source") {
            guard let address = source.text.flatMap({ RequestSource($0) }) else {
                throw .badValue("--source", .address)
            }
            filter.source = address.text
        }
        if let account = invocation.value("account") {
            guard !invocation.has("mine") else { throw .auditMineAlone }
            // The records of a deleted account still exist under its ID.
            if let id = account.text.flatMap({ AccountID($0) }) {
                filter.account = id
            } else {
                filter.account = try await installation.account(named: account.text).id
            }
        }
        return filter
    }

    private static func unknownEvent(_ name: String) -> ToolFailure {
        let known = AuditEvent.allCases.map(\.rawValue)
        guard let nearest = Suggestion.nearest(to: name, among: known) else {
            return .unknownEvent(event: name, known: known.joined(separator: ", "))
        }
        return .unknownEventSuggestion(event: name, nearest: nearest)
    }
}

/// Prints records with the login names of their accounts.
private struct RowPrinter {
    var table: ListTable
    private let installation: Installation
    private let showsNames: Bool
    private var names: [AccountID: String] = [:]

    private static let maximumNames = 1000

    init(_ context: CommandContext, _ installation: Installation, showsFullTimes: Bool? = nil) {
        self.installation = installation
        showsNames = !context.output.json
        table = ListTable(
            context,
            titles: [
                "list.number", "list.time", "list.event", "list.account", "list.actor", "list.address", "list.reason",
            ],
            showsFullTimes: showsFullTimes)
    }

    mutating func show(_ rows: [AuditRow]) async throws(ToolFailure) {
        for row in rows {
            var name = "-"
            if showsNames, let account = row.record?.account { name = try await self.name(of: account) }
            table.add(row.cells(account: name), json: row.json)
        }
        try table.endPage()
    }

    /// The current name of an account; the ID if the account was deleted.
    private mutating func name(of account: AccountID) async throws(ToolFailure) -> String {
        if let name = names[account] { return name }
        if names.count >= Self.maximumNames { names = [:] }
        let name = try await installation.asking { (service) async throws(AccountError) in
            do throws(AccountError) {
                return try await service.account(.id(account)).name
            } catch .noSuchAccount {
                return account.text
            }
        }
        names[account] = name
        return name
    }
}

extension AuditRow {
    fileprivate func cells(account: String) -> [ListTable.Cell] {
        guard let record else {
            return [
                .text(String(sequence)), .text("-"), .text("unreadable"), .text("-"), .text("-"), .text("-"), .text(""),
            ]
        }
        return [
            .text(String(record.sequence)), .time(record.time, withMilliseconds: true), .text(record.name),
            .text(account), .text(record.actor.text),
            .text(record.context.map(\.source).flatMap { $0.isEmpty ? nil : $0 } ?? "-"), .text(record.reason),
        ]
    }
}
