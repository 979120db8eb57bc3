import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyWeb

/// `/admin/settings`: every setting with its source, and the mail server.
enum SettingsAdmin {
    static var routes: [Route] {
        [
            .admin("GET", "/settings") { await $0.settings() },
            .admin("POST", "/settings") { await $0.changeSettings() },
        ]
    }
}

extension AdminRequest {
    private var facts: ServiceFacts { request.site.configuration.facts }

    /// - Parameter mailFailure: the reason why a test message was just not sent; nil if none was requested, or it was sent.
    fileprivate func settings(
        _ blocks: [PageBlock] = [], mailFailure: String? = nil, status: Int = 200
    ) async -> HTTPResponse {
        // A key such as `hash.memory` belongs to a group, and the others come first.
        func group(_ setting: ServiceFacts.Setting) -> String {
            setting.key.contains(".") ? String(setting.key.prefix { $0 != "." }) : ""
        }
        let groups = Dictionary(grouping: facts.settings, by: group)
        let order = groups.keys.sorted()
        let mail = PageSection(
            "mail-server", say("admin.mail"), help: say("admin.mail_help"), rows: [await mailRow(failure: mailFailure)],
            actions: [.button(say("admin.send_test"), AdminPage.Tab.settings.path, doing: "test")])
        let sections = order.map { group in
            PageSection(
                "settings-" + group, title(ofSettings: group),
                facts: (groups[group] ?? []).map {
                    PageFact($0.key, $0.value, note: $0.source)
                })
        }
        return show(
            AdminPage(
                .settings, say("web.admin_settings"), subtitle: version,
                notice + blocks + [.text(say("admin.settings_help")), .section(mail)] + sections.map { .section($0) }),
            status: status)
    }

    private var version: String {
        [
            facts.version.isEmpty ? nil : "Latchkey " + facts.version,
            facts.schema.map { say("admin.schema", ["number": .integer($0)]) },
        ].compactMap(\.self).joined(separator: " · ")
    }

    /// The heading above the settings of a group.
    private func title(ofSettings group: String) -> String {
        let code = "admin.settings_" + (group.isEmpty ? "general" : group)
        return request.messages.has(code) ? say(code) : group
    }

    private func mailRow(failure: String?) async -> PageRow {
        guard facts.sendsMail else {
            return PageRow(
                say("admin.mail_none"), badge: PageBadge(say("admin.off"), .wait), [say("admin.mail_none_help")])
        }
        guard let waiting = (try? await service.undelivered()) ?? nil else {
            if let failure {
                return PageRow(
                    say("admin.test_failed"), badge: PageBadge(say("admin.failed"), .bad),
                    [say("admin.test_reason", ["reason": .text(failure)])])
            }
            return PageRow(say("admin.mail_works"), badge: PageBadge(say("admin.ok"), .good))
        }
        return PageRow(
            say("admin.mail_waits", ["count": .integer(waiting.count)]),
            badge: PageBadge(say("admin.failed"), .bad),
            [say("admin.mail_since", ["time": .text(ago(waiting.since)), "reason": .text(waiting.reason)])])
    }

    /// Whether messages leave this machine. Otherwise they stay in the outbox.
    var sendsMail: Bool { facts.sendsMail }

    fileprivate func changeSettings() async -> HTTPResponse {
        switch posted("do") {
        case "test":
            do throws(MailerError) {
                try await service.deliverTest(to: live.account.email)
                let email: [String: RuleFailure.Value] = ["email": .text(live.account.email.typed)]
                return await settings([
                    sendsMail ? .notice(say("admin.test_sent", email)) : .alert(say("admin.test_kept", email), [])
                ])
            } catch {
                return await settings(
                    [.alert(say("admin.test_failed"), [say("admin.test_reason", ["reason": .text(error.reason)])])],
                    mailFailure: error.reason, status: 502)
            }
        default: return page.notice(400, "page.bad_request")
        }
    }

    // MARK: Overview

    private func storeChecks(again: Bool = false) async -> StandingCheck<[ServiceFacts.Check]>.Result? {
        guard let check = facts.checkStore else { return nil }
        return await request.site.storeCheck.value(at: service.clock.now(), again: again) { await check() }
    }

    func checkAgain() async -> HTTPResponse {
        guard posted("do") == "check" else { return page.notice(400, "page.bad_request") }
        _ = await storeChecks(again: true)
        return done("checking", at: AdminPage.root)
    }

    func overview() async throws -> HTTPResponse {
        let service = service
        let counted = await request.site.storeCounts.value(at: service.clock.now()) {
            try? await service.storeCounts()
        }
        let day = try await service.auditCounts(since: service.clock.now().advanced(by: .seconds(-86_400)))
        let (logins, failures) = (LoginDays.logins(in: day.byName), LoginDays.failures(in: day.byName))
        var blocks = notice
        if let waiting = (try? await service.undelivered()) ?? nil {
            blocks.append(
                .alert(
                    say("admin.mail_waits", ["count": .integer(waiting.count)]),
                    [say("admin.mail_since", ["time": .text(ago(waiting.since)), "reason": .text(waiting.reason)])]))
        }
        blocks.append(.figures(figures(of: counted?.value ?? nil, logins, failures, isAll: day.isAll)))
        if let chart = await loginChart() { blocks.append(chart) }
        let rows = await latestEvents()
        blocks.append(
            .section(
                PageSection(
                    "latest", say("admin.events"),
                    link: .link(say("admin.events_all"), AdminPage.Tab.audit.path),
                    rows: rows.isEmpty ? [PageRow(say("admin.events_none"))] : rows)))
        if facts.checkStore != nil { blocks.append(.section(checks(await storeChecks()))) }
        return show(AdminPage(.overview, say("web.admin_overview"), subtitle: version, blocks))
    }

    /// The newest events that an administrator should know, equal ones together. Logins that worked are in the chart.
    private func latestEvents() async -> [PageRow] {
        let names = Set(AuditEvent.allCases.filter { !$0.isRoutine }.map(\.rawValue))
        let found = (try? await service.recentAudit(matching: AuditFilter(events: names), limit: 50).rows) ?? []
        var groups: [(newest: AuditRecord, count: Int)] = []
        for record in found.compactMap(\.record) {
            if let place = groups.firstIndex(where: { $0.newest.isSameEvent(as: record) }) {
                groups[place].count += 1
            } else if groups.count < 5 {
                groups.append((record, 1))
            }
        }
        var (rows, people): ([PageRow], AuditNames) = ([], AuditNames(self))
        for (record, count) in groups {
            rows.append(await row(of: record, &people, isNamed: true, count: count))
        }
        return rows
    }

    /// - Parameter counts: nil while a large store is counted for the first time.
    private func figures(
        of counts: StoreCounts?, _ logins: Int, _ failures: Int, isAll: Bool
    ) -> [(title: String, path: String, value: String, note: String)] {
        func text(_ number: Int?) -> String { number.map { String($0) } ?? "…" }
        func note(_ code: String, _ number: Int?) -> String { say(code, ["count": .text(text(number))]) }
        let people = AdminPage.Tab.people.path
        let total = counts.map(\.allAccounts)
        let more = isAll ? "" : say("admin.at_least") + " "
        let inactive = note("admin.unverified_count", counts?.unverifiedAccounts)
        return [
            (say("web.admin_people"), people, text(total), note("admin.active_count", counts?.activeAccounts)),
            (say("admin.state_disabled"), people + "?show=disabled", text(counts?.disabledAccounts), inactive),
            (say("web.admin_sessions"), AdminPage.Tab.sessions.path, text(counts?.liveSessions), say("admin.live")),
            (
                say("admin.logins_of_day"), AdminPage.Tab.audit.path + "?show=logins", more + String(logins),
                note("admin.failed_count", failures)
            ),
        ]
    }

    /// One row for the checks of a subject; nil if there are none.
    private func row(of group: CheckGroup, _ checks: [ServiceFacts.Check]) -> PageRow? {
        guard !checks.isEmpty else { return nil }
        let badge =
            if checks.contains(where: { $0.verdict == .bad }) {
                PageBadge(say("admin.failed"), .bad)
            } else if checks.contains(where: { $0.verdict == .warning }) {
                PageBadge(say("admin.warning"), .wait)
            } else {
                PageBadge(say("admin.ok"), .good)
            }
        let problems = checks.filter { $0.verdict != .sound }.map(\.text)
        let (title, sound) =
            switch group {
            case .store: (say("admin.check_store"), say("admin.check_store_ok"))
            case .keys: (say("admin.check_keys"), say("admin.check_keys_ok"))
            case .passwords: (say("admin.check_passwords"), say("admin.check_passwords_ok"))
            case .mail: (say("admin.check_mail"), say("admin.check_mail_ok"))
            case .audit: (say("admin.check_audit"), say("admin.check_audit_ok"))
            case .other: (say("admin.check_other"), say("admin.check_other_ok"))
            }
        return PageRow(title, badge: badge, problems.isEmpty ? [sound] : problems)
    }

    private func checks(_ found: StandingCheck<[ServiceFacts.Check]>.Result?) -> PageSection {
        let rows = CheckGroup.allCases.compactMap { group in
            row(of: group, (found?.value ?? []).filter { CheckGroup(of: $0.name) == group })
        }
        return PageSection(
            "checks", say("admin.checks"),
            help: found.map { say("admin.checked", ["time": .text(ago($0.at))]) } ?? say("admin.checking"),
            rows: rows.isEmpty ? [PageRow(say("admin.checking"))] : rows,
            actions: [.button(say("admin.check_again"), AdminPage.root, doing: "check")])
    }
}

/// The subject of a check of `store check`. The overview has a row for each.
private enum CheckGroup: CaseIterable {
    case store, keys, passwords, mail, audit, other

    /// - Parameter check: the name of the check.
    init(of check: String) {
        self =
            switch check {
            case "file", "schema", "content", "tables", "space", "library", "clock", "store": .store
            case "key", "pepper": .keys
            case "hashes", "blocklist": .passwords
            case "mail", "queue": .mail
            case "audit": .audit
            default: .other
            }
    }
}
