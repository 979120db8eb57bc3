import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
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
    fileprivate func account() async throws(AccountError) -> Account {
        guard let id = AccountID(parameters["id"]) else { throw .noSuchAccount }
        return try await service.account(.id(id))
    }

    private var people: PageAction { .link(say("web.admin_people"), AdminPage.Tab.people.path) }

    private func isOwn(_ account: Account) -> Bool { account.id == live.account.id }

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
                ? PageBadge(say("admin.state_unverified"), .wait) : PageBadge(say("admin.confirmed"), .good)
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
            return PageRow(
                place, icon: DeviceName.icon(of: session.places.program),
                [
                    say("web.used", ["time": .text(ago(session.lastUsedAt))]) + " · "
                        + say("admin.since", ["time": .text(ago(session.createdAt))])
                ],
                action: .button(
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

    // MARK: Changes

    fileprivate func changePerson() async throws -> HTTPResponse {
        let account = try await account()
        let lookup = AccountLookup.id(account.id)
        if let name = GroupName(posted("join")) {
            guard name != service.settings.administrators else { return askBeforeAdministrator(account.id) }
            let isDone = try await service.setMembership(of: lookup, in: name, to: true, by: actor)
            return done(isDone ? "added" : "nothing", at: path)
        }
        if let name = GroupName(posted("leave")) {
            guard !isOwn(account) || name != service.settings.administrators else { return refusedOwn(account) }
            let isDone = try await service.setMembership(of: lookup, in: name, to: false, by: actor)
            return done(isDone ? "removed" : "nothing", at: path)
        }
        if let (session, isSure) = pressed("end") {
            guard isSure else { return askBeforeEnd(session, of: account, .people, back: (account.name, path)) }
            let ended = try await service.endSessions(.one(session), of: lookup, by: actor)
            return done(ended.count > 0 ? "ended_one" : "nothing", at: path)
        }
        if let (password, isSure) = pressed("revoke") {
            guard isSure else {
                let named = try await service.appPasswords(of: lookup).first { $0.id == password }
                let values: [String: RuleFailure.Value] = [
                    "password": .text(named?.name ?? ""), "name": .text(account.name),
                ]
                return ask(
                    .people, say("admin.revoke_ask", values), say("admin.revoke_help"), say("web.remove"),
                    named: "revoke", doing: password, back: (account.name, path))
            }
            let revoked = try await service.revokeAppPassword(password, of: lookup, by: actor)
            return done(revoked == nil ? "nothing" : "removed", at: path)
        }
        switch posted("do") {
        // No group was chosen.
        case "" where Submission.value(of: "join", in: request.http.body) == "": return done("nothing", at: path)
        case "unlock":
            try await service.unlock(lookup, by: actor)
            return done("unlocked", at: path)
        case "enable":
            try await service.set(.active, of: lookup, by: actor)
            return done("enabled", at: path)
        case "require":
            try await service.requirePasswordChange(of: lookup, isCompromised: false, by: actor)
            return done("required", at: path)
        case "link":
            guard account.state == .active else {
                return refused(.people, account.name, say("api.account_disabled"), back: back(to: account))
            }
            _ = try await service.issueRecoveryCode(for: lookup, isSent: true, by: actor)
            return done("link_sent", at: path)
        default: return page.notice(400, "page.bad_request")
        }
    }

    /// The page that asks before a session ends.
    ///
    /// - Parameter value: what the button posts.
    func askBeforeEnd(
        _ value: String, of account: Account, _ tab: AdminPage.Tab, back: (text: String, path: String)
    ) -> HTTPResponse {
        ask(
            tab, say("admin.end_ask", ["name": .text(account.name)]), say("admin.end_help"), say("web.end"),
            named: "end", doing: value, back: back)
    }

    /// The page that asks before a person becomes an administrator.
    func askBeforeAdministrator(_ id: AccountID) -> HTTPResponse {
        page.redirection(to: path(of: id) + "/" + PersonAdmin.Danger.makeAdministrator.rawValue)
    }

    private func back(to account: Account) -> PageAction { .link(account.name, path(of: account.id)) }

    private func refusedOwn(_ account: Account) -> HTTPResponse {
        refused(.people, account.name, say("admin.own_help"), back: back(to: account), status: 403)
    }

    // MARK: Profile

    fileprivate func profileForm() async throws -> HTTPResponse {
        let account = try await account()
        return form(
            opened(profileFields, carrying: account.present), .people, back: (account.name, path(of: account.id)),
            version: version(of: account.present))
    }

    private var profileFields: Form {
        let form = request.forms.form(for: .setup).withoutSecrets
        return Form(id: "person", title: say("admin.edit_profile"), submit: say("admin.save"), fields: form.fields)
    }

    fileprivate func changeProfile() async throws -> HTTPResponse {
        let account = try await account()
        let back = (account.name, path(of: account.id))
        guard let model = model(profileFields, carrying: account.present) else {
            return page.notice(400, "page.bad_request")
        }
        let opened = posted(FormPage.versionField)
        guard request.validate(model).isEmpty, let credentials = model.takeCredentials() else {
            return form(model, .people, back: back, version: opened, status: 422)
        }
        if let page = conflict(model, credentials, with: account.present, .people, back: back) { return page }
        let draft = ProfileDraft(
            username: credentials.text(.username), email: credentials.text(.email),
            attributes: credentials.attributesWithEmpty)
        do throws(AccountError) {
            let update = try await service.update(.id(account.id), draft, by: actor)
            return done(update.fields.isEmpty ? "nothing" : "changed", at: path(of: account.id))
        } catch {
            model.callBegan()
            let response = NetworkResponse(error)
            model.callEnded(response.alert(in: model.form, request.messages))
            return form(
                model, .people, back: back, version: opened, status: response.publicStatus == 503 ? 503 : 422)
        }
    }

    // MARK: Confirmations

    fileprivate func ask(_ danger: PersonAdmin.Danger, failure: String? = nil) async throws -> HTTPResponse {
        let account = try await account()
        guard !isOwn(account) || danger == .endSessions else { return refusedOwn(account) }
        let values: [String: RuleFailure.Value] = ["name": .text(account.name)]
        var sentences: [String]
        let (title, answer): (String, String)
        switch danger {
        case .resetFactors:
            (title, answer) = (say("admin.reset_ask", values), say("admin.reset"))
            sentences = [say("admin.reset_help")]
        case .endSessions:
            (title, answer) = (say("admin.end_all_ask", values), say("admin.end_all"))
            sentences = [say("admin.end_all_help")]
        case .makeAdministrator:
            (title, answer) = (say("admin.make_admin_ask", values), say("admin.make_admin"))
            sentences = [say("admin.make_admin_help")]
        case .disable:
            (title, answer) = (say("admin.disable_ask", values), say("admin.disable"))
            sentences = [say("admin.disable_help")]
        case .delete:
            (title, answer) = (say("admin.delete_ask", values), say("admin.delete_answer"))
            let (factors, sessions, passwords) = (
                try await service.factors(of: .id(account.id)), try await service.sessions(of: .id(account.id)),
                try await service.appPasswords(of: .id(account.id))
            )
            let lost = [
                ("passkeys", factors.passkeys.count), ("sessions", sessions.count), ("passwords", passwords.count),
            ].filter { $0.1 > 0 }.map { say("admin.delete_" + $0.0, ["count": .integer($0.1)]) }
            let email: [String: RuleFailure.Value] = ["email": .text(account.email.typed)]
            sentences = [
                say("admin.delete_what", email),
                lost.isEmpty ? nil : say("admin.delete_more", ["things": .text(lost.joined(separator: ", "))]),
                say("admin.delete_instead"),
            ].compactMap(\.self)
        }
        let typed = danger == .delete ? (label: say("admin.delete_type", values), failure: failure) : nil
        return show(
            AdminQuestion(
                .people, title, sentences, typed: typed, back: account.name,
                keep: .link(say(danger == .delete ? "admin.keep" : "web.cancel"), path(of: account.id)),
                confirm: .button(answer, path, doing: danger.rawValue)), status: failure == nil ? 200 : 422)
    }

    fileprivate func confirm(_ danger: PersonAdmin.Danger) async throws -> HTTPResponse {
        let account = try await account()
        let lookup = AccountLookup.id(account.id)
        guard !isOwn(account) || danger == .endSessions else { return refusedOwn(account) }
        switch danger {
        case .resetFactors:
            let isDone = try await service.resetFactors(of: lookup, by: actor)
            return done(isDone ? "factors_removed" : "nothing", at: path(of: account.id))
        case .endSessions:
            let ended = try await service.endSessions(.all, of: lookup, by: actor)
            return done(ended.count > 0 ? "ended" : "nothing", at: path(of: account.id))
        case .makeAdministrator:
            let isDone = try await service.setMembership(
                of: lookup, in: service.settings.administrators, to: true, by: actor)
            return done(isDone ? "added" : "nothing", at: path(of: account.id))
        case .disable:
            try await service.set(.disabled, of: lookup, by: actor)
            return done("disabled", at: path(of: account.id))
        case .delete:
            guard LoginName(mapping: posted("sure")) == LoginName(mapping: account.name) else {
                return try await ask(danger, failure: say("admin.delete_mistyped", ["name": .text(account.name)]))
            }
            try await service.delete(lookup, by: actor)
            return done("deleted", at: AdminPage.Tab.people.path)
        }
    }
}
