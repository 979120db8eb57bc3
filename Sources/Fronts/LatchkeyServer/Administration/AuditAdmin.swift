import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets
import LatchkeyWeb

/// `/admin/audit`: the audit trail, newest record first.
enum AuditAdmin {
    static var routes: [Route] {
        [
            .admin("GET", "/audit") { try await $0.audit() },
            .admin("GET", "/audit/download") { try await $0.download() },
        ]
    }

    /// The number of records in a downloaded file.
    fileprivate static let downloaded = 10_000
}

/// What the list of records shows.
private struct AuditChoice {
    enum Filter: String, CaseIterable {
        case all, failures, logins, changes, operators
    }

    let filter: Filter
    let who: String?
    let from: String?
    let since: String?
    let before: Int64?

    init(_ admin: AdminRequest) {
        filter = admin.query("show").flatMap(Filter.init(rawValue:)) ?? .all
        (who, from, since) = (admin.query("who"), admin.query("from"), admin.query("since"))
        before = admin.query("before").flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    func path(_ filter: Filter, before: Int64? = nil, in page: String = AdminPage.Tab.audit.path) -> String {
        let pairs: [(String, String?)] = [
            ("show", filter == .all ? nil : filter.rawValue), ("who", who), ("from", from), ("since", since),
            ("before", before.map { String($0) }),
        ]
        let query = pairs.compactMap { name, value in value.map { name + "=" + PercentEncoding.encoded($0) } }
        return page + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    /// The filter of the records; nil if a field has no valid value.
    func records(_ service: AccountService) async -> AuditFilter? {
        var records = AuditFilter()
        switch filter {
        case .all: break
        case .failures: records.events = AuditEvent.names { $0.isFailure }
        case .logins: records.events = AuditEvent.names { $0.isLogin }
        case .changes: records.events = AuditEvent.names { !$0.isFailure && !$0.isLogin }
        case .operators: records.isByOperators = true
        }
        if let who {
            if let id = AccountID(who) {
                records.account = id
            } else {
                guard let lookup = AccountLookup(who), let account = try? await service.account(lookup) else {
                    return nil
                }
                records.account = account.id
            }
        }
        if let from {
            guard let source = RequestSource(from) else { return nil }
            records.source = source.text
        }
        if let since {
            guard let time = Timestamp(rfc3339: since.contains("T") ? since : since + "T00:00:00Z") else { return nil }
            records.since = time
        }
        return records
    }
}

extension AuditRecord {
    /// Whether the other record has the same event, person, actor and address.
    func isSameEvent(as other: AuditRecord) -> Bool {
        name == other.name && reason == other.reason && account == other.account && actor == other.actor
            && context?.source == other.context?.source
    }
}

extension AuditEvent {
    /// Whether the event belongs to a login that worked, or to the trail itself.
    var isRoutine: Bool {
        switch self {
        case .loginSucceeded, .factorRequested, .factorUsed, .sessionCreated, .sessionRenewed, .sessionEnded,
            .sessionExpired, .auditRotated, .grantCreated, .grantEnded, .logoutConfirmed:
            true
        default: false
        }
    }

    fileprivate static func names(_ isChosen: (AuditEvent) -> Bool) -> Set<String> {
        Set(allCases.filter(isChosen).map(\.rawValue))
    }

    /// Whether the event belongs to a login or a session.
    fileprivate var isLogin: Bool {
        rawValue.hasPrefix("authn_login") || rawValue.hasPrefix("session_") || rawValue.hasPrefix("authn_factor")
            || self == .loginThrottled
    }
}

/// The names of the accounts in records, each looked up once.
struct AuditNames {
    private let service: AccountService
    private var known: [AccountID: String?] = [:]

    init(_ admin: AdminRequest) { service = admin.service }

    /// The login name of an account; nil if it was deleted.
    mutating func name(of id: AccountID) async -> String? {
        if let name = known[id] { return name }
        let name = try? await service.account(.id(id)).name
        known[id] = .some(name)
        return name
    }
}

extension AdminRequest {
    /// The actor of a record, for people; empty for the owner of the account.
    func actor(of record: AuditRecord, _ names: inout AuditNames) async -> String {
        switch record.actor {
        case .owner: ""
        case .account(let id): await names.name(of: id) ?? record.actor.text
        case .operatingSystemUser(let number): say("admin.system_user", ["number": .integer(Int(number))])
        case .operatorToken(let id): say("admin.token", ["id": .text(id)])
        case .client(let id): id
        }
    }

    /// A record as a row of a section.
    ///
    /// - Parameters:
    ///   - isNamed: whether the row names the person.
    ///   - count: the number of equal events, of which `record` is the newest.
    func row(
        of record: AuditRecord, _ names: inout AuditNames, isNamed: Bool = false, count: Int = 1
    ) async -> PageRow {
        let actor = await actor(of: record, &names)
        var person: String?
        if isNamed, let id = record.account { person = await names.name(of: id) }
        // Without a person, the reason has the name of the application or group.
        let subject = record.account == nil ? reason(of: record) : nil
        let facts = [ago(record.time), subject ?? "", record.context?.source ?? "", actor].filter { !$0.isEmpty }
        let event = words(for: record)
        let words =
            (person.map { $0 + ": " } ?? "")
            + (count == 1 ? event : say("admin.event_times", ["event": .text(event), "count": .integer(count)]))
        return PageRow(words, badge: badge(of: record), [facts.joined(separator: " · ")])
    }

    /// The event of a record in words.
    func words(for record: AuditRecord) -> String {
        guard let event = record.event else { return record.name }
        let code = "event." + event.rawValue
        // A change by an operator is named by its reason.
        return say(request.messages.has(code + "." + record.reason) ? code + "." + record.reason : code)
    }

    /// The reason of a record, for people; nil if it has none: `wrong password`, `saved code, left: 3`, `groups: staff, crew`.
    private func reason(of record: AuditRecord) -> String? {
        guard !record.reason.isEmpty else { return nil }
        // Only the code has words: what follows a colon contains names.
        let reason = record.reason.replacing(",", with: ", ")
        let code = reason.prefix { $0 != ":" }
        return String(code).replacing("_", with: " ") + reason.dropFirst(code.count).replacing(":", with: ": ")
    }

    private func badge(of record: AuditRecord) -> PageBadge? {
        if record.event?.isFailure == true { return PageBadge(say("admin.failed"), .bad) }
        return record.actor.isOperator ? PageBadge(say("admin.operator")) : nil
    }

    fileprivate func audit() async throws -> HTTPResponse {
        let choice = AuditChoice(self)
        var blocks: [PageBlock] =
            [await chain()] + [
                .form(
                    InlineForm(
                        AdminPage.Tab.audit.path, isSearch: true,
                        [
                            PageField("who", say("admin.column_person"), value: choice.who ?? ""),
                            PageField("from", say("admin.column_address"), value: choice.from ?? ""),
                            PageField("since", say("admin.audit_since"), value: choice.since ?? "", type: "date"),
                        ], hidden: choice.filter == .all ? [] : [("show", choice.filter.rawValue)],
                        submit: say("admin.filter"))),
                .filters(AuditChoice.Filter.allCases.map { (filterName($0), choice.path($0), $0 == choice.filter) }),
            ]
        guard let filter = await choice.records(service) else {
            blocks.append(
                .empty(
                    say("admin.audit_none"), say("admin.audit_unreadable"),
                    .link(say("admin.audit_all"), AdminPage.Tab.audit.path)))
            return show(AdminPage(.audit, say("web.admin_audit"), blocks))
        }
        let found = try await service.recentAudit(before: choice.before, matching: filter, limit: Self.rows)
        if found.rows.isEmpty {
            blocks.append(
                .empty(
                    say("admin.audit_none"), say("admin.audit_none_help"),
                    .link(say("admin.audit_all"), AdminPage.Tab.audit.path)))
        } else {
            blocks.append(.table(await table(of: found.rows)))
        }
        if found.stoppedEarly {
            blocks.append(.text(say("admin.audit_stopped", ["count": .integer(Int(AccountService.auditScan))])))
        }
        blocks.append(
            .pages(
                end(of: found.rows.count, isLast: found.next == nil, isFirst: choice.before == nil),
                found.next.map { .link(say("admin.older"), choice.path(choice.filter, before: $0)) }))
        let download = choice.path(choice.filter, in: AdminPage.Tab.audit.path + "/download")
        return show(
            AdminPage(
                .audit, say("web.admin_audit"), actions: [.link(say("admin.audit_download"), download, isQuiet: true)],
                blocks))
    }

    private func filterName(_ filter: AuditChoice.Filter) -> String {
        switch filter {
        case .all: say("admin.filter_all")
        case .failures: say("admin.filter_failures")
        case .logins: say("admin.filter_logins")
        case .changes: say("admin.filter_changes")
        case .operators: say("admin.filter_operators")
        }
    }

    private func table(of rows: [AuditRow]) async -> PageTable {
        var names = AuditNames(self)
        var cells: [[TableCell]] = []
        for row in rows {
            guard let record = row.record else {
                cells.append([
                    TableCell(),
                    TableCell(say("admin.audit_broken_row", ["number": .integer(Int(row.sequence))])),
                    TableCell(), TableCell(), TableCell(), TableCell(),
                ])
                continue
            }
            var person = TableCell()
            if let id = record.account {
                let name = await names.name(of: id)
                person =
                    name.map { TableCell($0, at: path(of: id)) }
                    ?? TableCell(say("admin.deleted_person", ["id": .text(String(id.text.prefix(8)))]))
            }
            cells.append([
                TableCell(record.time.forPeople),
                TableCell(words(for: record), note: reason(of: record)), person,
                TableCell(await actor(of: record, &names)), TableCell(record.context?.source ?? ""),
                TableCell(badges: badge(of: record).map { [$0] } ?? []),
            ])
        }
        return PageTable(
            say("admin.audit_caption"),
            [
                .init(say("admin.column_time"), .keep, isLabelled: true), .init(say("admin.column_event"), .title),
                .init(say("admin.column_person"), .line), .init(say("admin.column_by"), .line, isLabelled: true),
                .init(say("admin.column_address"), .line), .init(say("admin.column_kind"), .side),
            ], rows: cells)
    }

    /// Whether the chain of records is intact, as far as it has been verified.
    private func chain() async -> PageBlock {
        let service = service
        let verified = await request.site.auditCheck.value(at: service.clock.now()) { try? await service.verifyAudit() }
        guard let verified, let value = verified.value else { return .text(say("admin.chain_checking")) }
        let head = Int(value.head?.sequence ?? 0)
        let time = RuleFailure.Value.text(ago(verified.at))
        guard value.finding == .intact else {
            let broken = value.finding.sequence ?? value.head?.sequence ?? 0
            return .alert(
                say("admin.chain_broken", ["number": .integer(Int(broken))]), [say("admin.chain_broken_help")])
        }
        return .notice(
            say("admin.chain_intact", ["first": .integer(Int(value.first)), "last": .integer(head), "time": time]))
    }

    /// The newest records that the filter selects, one JSON object in each line, oldest first.
    fileprivate func download() async throws -> HTTPResponse {
        let choice = AuditChoice(self)
        guard let filter = await choice.records(service) else { return missing }
        var (lines, before): ([String], Int64?) = ([], nil)
        while lines.count < AuditAdmin.downloaded {
            let found = try await service.recentAudit(before: before, matching: filter, limit: 500)
            lines += found.rows.map(\.json.encoded)
            guard let next = found.next else { break }
            before = next
        }
        return HTTPResponse(
            status: 200,
            headers: [
                ("Content-Type", "application/jsonl"), ("Cache-Control", "no-store"),
                ("Content-Disposition", #"attachment; filename="audit.jsonl""#), ("X-Content-Type-Options", "nosniff"),
            ], body: .bytes(Array((lines.reversed().joined(separator: "\n") + "\n").utf8)))
    }
}

extension Timestamp {
    /// The time to the second in UTC: `2026-11-26 14:02:11`.
    var forPeople: String { String(rfc3339.replacing("T", with: " ").prefix(19)) }
}
