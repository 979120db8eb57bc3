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

    fileprivate func settings(_ blocks: [AdminPage.Block] = [], status: Int = 200) async -> HTTPResponse {
        // A key such as `hash.memory` belongs to a group, and the others come first.
        func group(_ setting: ServiceFacts.Setting) -> String {
            setting.key.contains(".") ? String(setting.key.prefix { $0 != "." }) : ""
        }
        let groups = Dictionary(grouping: facts.settings, by: group)
        let order = groups.keys.sorted()
        let mail = AdminPage.Section(
            "mail-server", say("admin.mail"), help: say("admin.mail_help"), rows: [await mailRow()],
            actions: [.button(say("admin.send_test"), AdminPage.Tab.settings.path, doing: "test")])
        let sections = order.map { group in
            AdminPage.Section(
                "settings-" + group, group.isEmpty ? say("admin.settings_general") : group,
                facts: (groups[group] ?? []).map {
                    AdminPage.Fact($0.key, $0.value, note: $0.source)
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

    private func mailRow() async -> AdminPage.Row {
        guard facts.sendsMail else {
            return AdminPage.Row(
                say("admin.mail_none"), badge: AdminPage.Badge(say("admin.off"), .wait), [say("admin.mail_none_help")])
        }
        guard let waiting = (try? await service.undelivered()) ?? nil else {
            return AdminPage.Row(say("admin.mail_works"), badge: AdminPage.Badge(say("admin.ok"), .good))
        }
        return AdminPage.Row(
            say("admin.mail_waits", ["count": .integer(waiting.count)]),
            badge: AdminPage.Badge(say("admin.failed"), .bad),
            [say("admin.mail_since", ["time": .text(ago(waiting.since)), "reason": .text(waiting.reason)])])
    }

    fileprivate func changeSettings() async -> HTTPResponse {
        switch posted("do") {
        case "test":
            do throws(MailerError) {
                try await service.deliverTest(to: live.account.email)
                return await settings([
                    .notice(say("admin.test_sent", ["email": .text(live.account.email.typed)]))
                ])
            } catch {
                return await settings(
                    [.alert(say("admin.test_failed"), [say("admin.test_reason", ["reason": .text(error.reason)])])],
                    status: 502)
            }
        case "check":
            _ = await storeChecks(again: true)
            return page.redirection(to: AdminPage.root)
        default: return page.notice(400, "page.bad_request")
        }
    }

    // MARK: Overview

    private func storeChecks(again: Bool = false) async -> StandingCheck<[ServiceFacts.Check]>.Result? {
        guard let check = facts.checkStore else { return nil }
        return await request.site.storeCheck.value(at: service.clock.now(), again: again) { await check() }
    }

    func overview() async throws -> HTTPResponse {
        let metrics = try await service.storeCounts()
        let day = try await service.auditCounts(since: service.clock.now().advanced(by: .seconds(-86_400)))
        func count(_ isCounted: (AuditEvent) -> Bool) -> Int {
            day.byName.reduce(0) { sum, entry in
                sum + (AuditEvent(rawValue: entry.key).map(isCounted) == true ? entry.value : 0)
            }
        }
        let logins = count { [.loginSucceeded, .loginSucceededAfterFailures].contains($0) }
        let failures = count { [.loginFailed, .loginFailedAtMost, .loginThrottled, .factorFailed].contains($0) }
        let people = AdminPage.Tab.people.path
        let total = metrics.activeAccounts + metrics.disabledAccounts + metrics.unverifiedAccounts
        let more = day.isAll ? "" : say("admin.at_least") + " "
        var blocks = notice
        if let waiting = (try? await service.undelivered()) ?? nil {
            blocks.append(
                .alert(
                    say("admin.mail_waits", ["count": .integer(waiting.count)]),
                    [say("admin.mail_since", ["time": .text(ago(waiting.since)), "reason": .text(waiting.reason)])]))
        }
        blocks.append(
            .figures([
                (
                    say("web.admin_people"), people, String(total),
                    say("admin.active_count", ["count": .integer(metrics.activeAccounts)])
                ),
                (
                    say("admin.state_disabled"), people + "?show=disabled", String(metrics.disabledAccounts),
                    say("admin.unverified_count", ["count": .integer(metrics.unverifiedAccounts)])
                ),
                (
                    say("web.admin_sessions"), AdminPage.Tab.sessions.path, String(metrics.liveSessions),
                    say("admin.live")
                ),
                (
                    say("admin.logins_of_day"), AdminPage.Tab.audit.path + "?show=logins", more + String(logins),
                    say("admin.failed_count", ["count": .integer(failures)])
                ),
            ]))
        var rows: [AdminPage.Row] = []
        var names = AuditNames(self)
        let recent = (try? await service.recentAudit(limit: 5).rows) ?? []
        for record in recent.compactMap(\.record) { rows.append(await row(of: record, &names, isNamed: true)) }
        blocks.append(
            .section(
                AdminPage.Section(
                    "latest", say("admin.events"),
                    link: .link(say("admin.events_all"), AdminPage.Tab.audit.path),
                    rows: rows.isEmpty ? [AdminPage.Row(say("admin.events_none"))] : rows)))
        if facts.checkStore != nil { blocks.append(.section(checks(await storeChecks()))) }
        return show(AdminPage(.overview, say("web.admin_overview"), subtitle: version, blocks))
    }

    private func checks(_ found: StandingCheck<[ServiceFacts.Check]>.Result?) -> AdminPage.Section {
        let rows = (found?.value ?? []).map { check in
            let badge =
                switch check.verdict {
                case .sound: AdminPage.Badge(say("admin.ok"), .good)
                case .warning: AdminPage.Badge(say("admin.warning"), .wait)
                case .bad: AdminPage.Badge(say("admin.failed"), .bad)
                }
            return AdminPage.Row(check.name, badge: badge, check.text.isEmpty ? [] : [check.text])
        }
        return AdminPage.Section(
            "checks", say("admin.checks"),
            help: found.map { say("admin.checked", ["time": .text(ago($0.at))]) } ?? say("admin.checking"),
            rows: rows.isEmpty ? [AdminPage.Row(say("admin.checking"))] : rows,
            actions: [.button(say("admin.check_again"), AdminPage.Tab.settings.path, doing: "check")])
    }
}
