import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyWeb

/// `/admin/people/ID`: one person, and everything that an administrator can do for them.
enum PersonAdmin {
    static var routes: [Route] {
        [
            .admin("GET", "/people/{id}") { try await $0.person() },
            .admin("POST", "/people/{id}") { try await $0.changePerson() },
        ]
            + Route.adminForm(
                "/people/{id}/profile", opens: { try await $0.profileForm() }, sends: { try await $0.changeProfile() })
            + Danger.allCases.flatMap { danger -> [Route] in
                [
                    .admin("GET", "/people/{id}/" + danger.rawValue, isRecent: true) { try await $0.ask(danger) },
                    .admin("POST", "/people/{id}/" + danger.rawValue) { try await $0.confirm(danger) },
                ]
            }
    }

    /// A change with a confirmation.
    enum Danger: String, CaseIterable {
        case resetFactors = "reset-factors"
        case endSessions = "end-sessions"
        case makeAdministrator = "make-administrator"
        case disable, delete
    }

    /// The number of records about a person.
    fileprivate static let records = 20
}

extension AdminRequest {
    /// The account whose ID is in the path.
    func account() async throws(AccountError) -> Account {
        guard let id = AccountID(parameters["id"]) else { throw .noSuchAccount }
        return try await service.account(.id(id))
    }

    private var people: PageAction { .link(say("web.admin_people"), AdminPage.Tab.people.path) }

    func isOwn(_ account: Account) -> Bool { account.id == live.account.id }

    // MARK: The page

    fileprivate func person() async throws -> HTTPResponse {
        let account = try await account()
        let throttle = try await service.throttle(of: .id(account.id))
        let isLocked = throttle.retryAfter > .zero || throttle.demandsRecovery
        let factors = try await service.factors(of: .id(account.id))
        let appPasswords = try await service.appPasswords(of: .id(account.id))
        let hasSecrets = factors.hasFactor || !appPasswords.isEmpty
        let sections = [
            profile(of: account), try await password(of: account), section(of: factors),
            try await groups(of: account),
            try await sessions(of: account), section(of: appPasswords), try await applications(of: account),
            try await events(of: account), danger(of: account, canReset: hasSecrets),
        ].compactMap(\.self)
        let unlock = PageAction.button(say("admin.unlock"), path, doing: "unlock")
        let enable = PageAction.button(say("admin.enable"), path, doing: "enable")
        return show(
            AdminPage(
                .people, account.name, badges: badges(of: account, isLocked: isLocked),
                subtitle: say(
                    "admin.person_dates",
                    ["created": .text(ago(account.createdAt)), "login": .text(ago(account.lastLoginAt))]),
                back: people,
                actions: (isLocked ? [unlock] : []) + (account.state == .disabled ? [enable] : []),
                notice + sections.map { .section($0) }))
    }

    private func profile(of account: Account) -> PageSection {
        let present = account.present
        let facts = request.forms.form(for: .setup).fields.compactMap { field -> PageFact? in
            guard !field.isSecret, let value = present[field.apiKey], !value.isEmpty else { return nil }
            let verified =
                account.emailVerifiedAt == nil
                ? PageBadge(say("page.unconfirmed"), .wait) : PageBadge(say("admin.confirmed"), .good)
            return PageFact(
                field.label, field.readable(value, request.messages), badge: field.apiKey == .email ? verified : nil)
        }
        return PageSection(
            "profile", say("admin.profile"), facts: facts,
            actions: [.link(say("admin.edit"), path(of: account.id) + "/profile")])
    }

    private func password(of account: Account) async throws -> PageSection {
        let state =
            if let end = account.passwordExpiresAt {
                say("admin.password_generated", ["time": .text(ago(end))])
            } else if account.passwordHash != nil {
                try await service.passwordEvent(of: account.id).map { event in
                    say("admin.password_set_at", ["time": .text(ago(event.time))])
                } ?? say("admin.password_set")
            } else {
                say("admin.password_none")
            }
        let link = PageAction.button(say("admin.send_link"), path, doing: "link")
        let require = PageAction.button(say("admin.require"), path, doing: "require")
        return PageSection(
            "password", say("admin.password"), help: say("admin.password_help"),
            rows: [
                PageRow(state, [], action: account.state == .active ? link : nil),
                PageRow(
                    say("admin.require_title"), [say("admin.require_help")],
                    action: account.mustChangePassword ? nil : require),
            ])
    }

    private func section(of factors: FactorStatus) -> PageSection {
        var rows = factors.passkeys.map { passkey in
            PageRow(
                passkey.name, icon: .key,
                [say("web.used", ["time": .text(ago(passkey.lastUsedAt ?? passkey.createdAt))])])
        }
        if let app = factors.authenticator {
            rows.append(
                PageRow(
                    say("admin.app_long"), icon: .lock, [say("page.added", ["time": .text(ago(app.createdAt))])]))
        }
        if rows.isEmpty {
            rows.append(PageRow(say("admin.factors_none"), [say("admin.factors_none_help")]))
        } else {
            rows.append(
                PageRow(
                    say("admin.saved_codes"),
                    [
                        say(
                            "page.saved_codes",
                            [
                                "count": .integer(factors.savedCodes),
                                "total": .integer(AccountService.savedCodeCount),
                            ])
                    ]))
        }
        return PageSection("factors", say("admin.factors"), rows: rows)
    }

    private func groups(of account: Account) async throws -> PageSection {
        let names = try await service.groups(of: .id(account.id))
        let rows = names.map { name in
            PageRow(
                name.text, at: path(of: name),
                action: isOwn(account) && name == service.settings.administrators
                    ? nil
                    : .button(
                        say("admin.take_out"), path, doing: name.text, named: "leave",
                        describedAs: say(
                            "admin.take_out_of", ["name": .text(account.name), "group": .text(name.text)])))
        }
        let others = try await service.groups().map(\.group.name).filter { !names.contains($0) }
        let form = InlineForm(
            path, [PageField("join", say("admin.add_to_group"), options: [""] + others.prefix(500).map(\.text))],
            submit: say("admin.add"))
        return PageSection(
            "groups", say("web.admin_groups"),
            rows: rows.isEmpty ? [PageRow(say("admin.groups_none_of"))] : rows,
            form: others.isEmpty ? nil : form)
    }

    private func sessions(of account: Account) async throws -> PageSection {
        let sessions = try await service.sessions(of: .id(account.id))
        let rows = sessions.prefix(Self.rows).map { session in
            let place = session.source.isEmpty ? say("page.unknown_device") : session.source
            let isOwn = self.isOwn(session)
            return PageRow(
                place, icon: DeviceName.icon(of: session.places.program),
                badge: isOwn ? PageBadge(say("web.this_session"), .good) : nil,
                [
                    say("web.used", ["time": .text(ago(session.lastUsedAt))]) + " · "
                        + say("admin.since", ["time": .text(ago(session.createdAt))])
                ],
                action: isOwn
                    ? nil
                    : .button(
                        say("web.end"), path, doing: session.shortID, named: "end",
                        describedAs: say("web.end_of", ["device": .text(place)])))
        }
        let all = PageAction.link(
            say("admin.end_all"), path(of: account.id) + "/" + PersonAdmin.Danger.endSessions.rawValue)
        return PageSection(
            "sessions", say("web.admin_sessions"),
            rows: rows.isEmpty ? [PageRow(say("admin.sessions_none_of"))] : Array(rows),
            actions: rows.count > 1 ? [all] : [])
    }

    private func section(of passwords: [AppPassword]) -> PageSection? {
        guard !passwords.isEmpty else { return nil }
        return PageSection(
            "app-passwords", say("admin.app_passwords"),
            rows: passwords.map { password in
                PageRow(
                    password.name, icon: .key, [say("web.used", ["time": .text(ago(password.lastUsedAt))])],
                    action: .button(
                        say("web.remove"), path, doing: password.id, named: "revoke",
                        describedAs: say("admin.remove_of", ["name": .text(password.name)])))
            })
    }

    private func applications(of account: Account) async throws -> PageSection? {
        let connected = try await service.connectedClients(of: account.id)
        guard !connected.isEmpty else { return nil }
        return PageSection(
            "applications", say("web.admin_applications"),
            rows: connected.map { application in
                PageRow(
                    application.client.settings.name,
                    at: service.settings.openID.isEnabled ? path(ofApplication: application.client.id) : nil,
                    [say("web.used", ["time": .text(ago(application.lastUsedAt))])])
            })
    }

    private func events(of account: Account) async throws -> PageSection {
        let filter = AuditFilter(account: account.id)
        let recent = try await service.recentAudit(matching: filter, limit: PersonAdmin.records)
        var rows: [PageRow] = []
        var names = AuditNames(self)
        for record in recent.rows.compactMap(\.record) { rows.append(await row(of: record, &names)) }
        return PageSection(
            "events", say("admin.events"),
            link: .link(say("admin.events_all"), AdminPage.Tab.audit.path + "?who=" + account.id.text),
            rows: rows.isEmpty ? [PageRow(say("admin.events_none"))] : rows)
    }

    /// - Parameter canReset: whether the person has a second factor or an app password.
    private func danger(of account: Account, canReset: Bool) -> PageSection? {
        guard !isOwn(account) else {
            return PageSection(
                "danger", say("admin.danger"), rows: [PageRow(say("admin.own"), [say("admin.own_help")])])
        }
        func row(_ title: String, _ help: String, _ danger: PersonAdmin.Danger) -> PageRow {
            PageRow(
                say(title), [say(help)],
                action: .link(
                    say(title), path(of: account.id) + "/" + danger.rawValue,
                    describedAs: say(title) + ": " + account.name, isDangerous: true))
        }
        let reset = row("admin.reset", "admin.reset_help", .resetFactors)
        let disable = row("admin.disable", "admin.disable_help", .disable)
        return PageSection(
            "danger", say("admin.danger"), help: say("admin.danger_help"),
            rows: (canReset ? [reset] : []) + (account.state == .active ? [disable] : [])
                + [row("admin.delete", "admin.delete_help", .delete)])
    }
}
