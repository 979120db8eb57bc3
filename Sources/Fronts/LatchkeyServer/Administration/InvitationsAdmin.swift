import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets
import LatchkeyWeb

/// `/admin/invitations`: open, expired and used invitations.
enum InvitationsAdmin {
    static var routes: [Route] {
        [
            .admin("GET", "/invitations") { try await $0.invitations() },
            .admin("POST", "/invitations") { try await $0.revokeInvitation() },
        ] + Route.adminForm("/invite", opens: { try await $0.invite() }, sends: { try await $0.createInvitation() })
    }

    fileprivate static let name: FieldKey = "name"
    fileprivate static let days: FieldKey = "days"
    fileprivate static let groups: FieldKey = "groups"
    fileprivate static let send: FieldKey = "send"
    /// How long an invitation may be valid, in days.
    fileprivate static let lifetimes = ["1", "3", "7", "30"]
    /// The number of used invitations on the page.
    fileprivate static let used = 20
}

extension AdminRequest {
    private var invitationsLink: (text: String, path: String) {
        (say("web.admin_invitations"), AdminPage.Tab.invitations.path)
    }

    fileprivate func invitations(_ blocks: [PageBlock] = [], status: Int = 200) async throws -> HTTPResponse {
        let now = service.clock.now()
        let all = try await service.tokens().filter(\.isInvitation)
        let open = all.filter { !$0.isOver(at: now) }
        let over = all.filter { $0.isOver(at: now) }
        func row(_ token: OperatorToken, isOpen: Bool) -> PageRow {
            let groups = token.groups.map(\.text).joined(separator: ", ")
            let end = token.expiresAt.map {
                say(isOpen ? "admin.expires" : "admin.expired_at", ["time": .text(ago($0))])
            }
            let facts = [groups, say("admin.made", ["time": .text(ago(token.createdAt))]), end ?? ""]
            return PageRow(
                token.name, badge: isOpen ? nil : PageBadge(say("admin.expired")),
                [facts.filter { !$0.isEmpty }.joined(separator: " · ")],
                action: .button(
                    say(isOpen ? "admin.withdraw" : "web.remove"), AdminPage.Tab.invitations.path, doing: token.id,
                    named: "revoke", describedAs: say("admin.withdraw_of", ["name": .text(token.name)])))
        }
        let usedRows = try await usedInvitations()
        let sections = [
            PageSection(
                "open", say("admin.open"), help: say("admin.open_help"),
                rows: open.isEmpty
                    ? [PageRow(say("admin.open_none"), [say("admin.open_none_help")])]
                    : open.reversed().map { row($0, isOpen: true) }),
            over.isEmpty
                ? nil
                : PageSection(
                    "expired", say("admin.expired"), rows: over.reversed().map { row($0, isOpen: false) }),
            usedRows.isEmpty ? nil : PageSection("used", say("admin.used"), rows: usedRows),
        ].compactMap(\.self)
        return show(
            AdminPage(
                .invitations, say("web.admin_invitations"),
                actions: [.link(say("admin.invite"), AdminPage.root + "/invite")],
                notice + blocks + sections.map { .section($0) }), status: status)
    }

    /// The people who signed up with an invitation: their addresses, when, and who had invited them. The trail names an
    /// invitation by its ID, because its name is deleted with it.
    private func usedInvitations() async throws -> [PageRow] {
        let used = try await service.recentAudit(
            matching: AuditFilter(events: [AuditEvent.tokenUsed.rawValue]), limit: InvitationsAdmin.used)
        guard !used.rows.isEmpty else { return [] }
        let created = try await service.recentAudit(
            matching: AuditFilter(events: [AuditEvent.tokenCreated.rawValue]), limit: Self.rows)
        let invitations = Dictionary(
            created.rows.compactMap(\.record).map { ($0.reason, $0) }, uniquingKeysWith: { first, _ in first })
        var (names, rows): (AuditNames, [PageRow]) = (AuditNames(self), [])
        for record in used.rows.compactMap(\.record) {
            var account: Account?
            if let id = record.account { account = try? await service.account(.id(id)) }
            var waiting: SignUp?
            if account == nil, let id = record.account { waiting = try? await service.waitingSignUp(id) }
            var facts = [say("admin.signed_up", ["time": .text(ago(record.time))])]
            if waiting != nil { facts.append(say("admin.state_unverified")) }
            if let account, account.username != nil { facts.insert(account.email.typed, at: 0) }
            if let invitation = invitations[record.reason] {
                let actor = await actor(of: invitation, &names)
                facts.append(
                    say("admin.invited_by", ["time": .text(ago(invitation.time)), "name": .text(actor)]))
            }
            rows.append(
                PageRow(
                    account?.name ?? waiting?.email.typed ?? say("admin.deleted_account"),
                    at: account.map { path(of: $0.id) },
                    [facts.joined(separator: " · ")]))
        }
        return rows
    }

    fileprivate func revokeInvitation() async throws -> HTTPResponse {
        // Only an invitation: other tokens belong to programs.
        let (id, isSure) = pressed("revoke") ?? ("", false)
        guard let token = try await service.tokens().first(where: { $0.isInvitation && $0.id == id }) else {
            return done("nothing", at: AdminPage.Tab.invitations.path)
        }
        // The link of an invitation that is over does not work any more.
        guard isSure || token.isOver(at: service.clock.now()) else {
            return ask(
                .invitations, say("admin.withdraw_ask", ["name": .text(token.name)]), say("admin.withdraw_help"),
                say("admin.withdraw"), named: "revoke", doing: id, back: invitationsLink)
        }
        let revoked = try await service.revokeToken(id, by: actor)
        return done(revoked == nil ? "nothing" : "revoked", at: AdminPage.Tab.invitations.path)
    }

    // MARK: Creation

    private func fields() async throws(AccountError) -> Form {
        let groups = try await service.groups().prefix(64).map { summary in
            let name = summary.group.name
            return FieldOption(
                name.text,
                label: name == service.settings.administrators
                    ? say("admin.group_of_administrators", ["name": .text(name.text)]) : name.text)
        }
        let email = request.forms.form(for: .setup).field(.email)
        var fields: [any FormField] = [
            PageFormField(
                InvitationsAdmin.name, say("admin.invite_name"), help: say("admin.invite_name_help"),
                rules: [RequiredRule(), OperatorTextRule.tokenName]),
            PageFormField(
                .email, say("admin.column_email"), help: say("admin.invite_email_help"),
                rules: email?.validationRules.filter { !($0 is RequiredRule) } ?? [], isOptional: true),
            PageFormField(
                InvitationsAdmin.days, say("admin.invite_days"), as: .choice,
                options: InvitationsAdmin.lifetimes.map {
                    FieldOption($0, label: say("admin.days", ["count": .integer(Int($0) ?? 0)]))
                }, default: .text("7")),
        ]
        if !groups.isEmpty {
            fields.append(
                PageFormField(
                    InvitationsAdmin.groups, say("web.admin_groups"), as: .choices, isOptional: true, options: groups))
        }
        return Form(
            id: "invitation", title: say("admin.invite_title"), submit: say("admin.invite_submit"), fields: fields)
    }

    fileprivate func invite() async throws -> HTTPResponse {
        form(opened(try await fields()), .invitations, back: invitationsLink)
    }

    fileprivate func createInvitation() async throws -> HTTPResponse {
        guard let model = model(try await fields()) else { return page.notice(400, "page.bad_request") }
        guard request.validate(model).isEmpty, let credentials = model.takeCredentials(),
            let name = credentials.text(InvitationsAdmin.name)
        else { return form(model, .invitations, back: invitationsLink, status: 422) }
        let address = credentials.text(.email).flatMap { $0.isEmpty ? nil : try? EmailAddress($0) }
        let days = credentials.text(InvitationsAdmin.days).flatMap { Int64($0) } ?? 7
        var groups: [GroupName] = []
        if case .list(let names)? = credentials[InvitationsAdmin.groups] {
            groups = names.compactMap { GroupName($0) }
        }
        let invited = try await service.invite(
            name, sendingTo: address, groups: groups, lifetime: .seconds(days * 86_400),
            at: request.site.configuration.origin, by: actor)
        guard let invited else {
            model.callBegan()
            model.callEnded(
                AlertViewModel(
                    title: say("admin.too_many_tokens", ["maximum": .integer(AccountService.maximumTokens)])))
            return form(model, .invitations, back: invitationsLink, status: 409)
        }
        let code = sendsMail ? "admin.link_sent_to" : "admin.link_kept_for"
        let help = address.map { say(code, ["email": .text($0.typed)]) + " " } ?? ""
        return try await invitations([
            .secret(
                title: say("admin.invited", ["name": .text(name)]), help: help + say("admin.copy_now"),
                label: say("admin.link"), invited.link)
        ])
    }
}
