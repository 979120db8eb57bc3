import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyOpenID
import LatchkeySecrets
import LatchkeyWeb

/// `/admin/applications`: the applications of the OpenID provider.
enum ApplicationsAdmin {
    static var routes: [Route] {
        [
            .admin("GET", "/applications") { try await $0.applications() },
            .admin("GET", "/applications/{id}") { try await $0.application() },
            .admin("POST", "/applications/{id}") { try await $0.changeApplication() },
            .admin("GET", "/applications/{id}/disable", isRecent: true) { try await $0.askBeforeDisabling() },
            .admin("POST", "/applications/{id}/disable") { try await $0.disableApplication() },
            .admin("GET", "/applications/{id}/remove", isRecent: true) { try await $0.askBeforeRemoval() },
            .admin("POST", "/applications/{id}/remove") { try await $0.removeApplication() },
        ]
            + Route.adminForm(
                "/new-application", opens: { await $0.newApplication() }, sends: { try await $0.addApplication() })
            + Route.adminForm(
                "/applications/{id}/settings", opens: { try await $0.applicationSettingsForm() },
                sends: { try await $0.changeApplicationSettings() })
    }

    /// The number of logins among which the last user of each application is looked for.
    fileprivate static let logins = 500
}

extension AdminRequest {
    /// The path of an application's page.
    func path(ofApplication id: String) -> String {
        AdminPage.Tab.applications.path + "/" + PercentEncoding.encoded(id)
    }

    /// The list of all applications.
    var applicationsLink: (text: String, path: String) {
        (say("web.admin_applications"), AdminPage.Tab.applications.path)
    }

    /// The application whose ID is in the path.
    func client() async throws(AccountError) -> Client {
        guard let client = try await service.client(parameters["id"]) else { throw .noSuchAccount }
        return client
    }

    func badges(of client: Client) -> [PageBadge] {
        client.isDisabled ? [PageBadge(say("admin.state_disabled"))] : []
    }

    // MARK: The list

    fileprivate func applications() async throws -> HTTPResponse {
        let clients = try await service.clients()
        let users = try await lastUsers()
        var names = AuditNames(self)
        var rows: [[TableCell]] = []
        for client in clients {
            var user = TableCell()
            if let id = users[client.id], let name = await names.name(of: id) {
                user = TableCell(name, at: path(of: id))
            }
            rows.append([
                TableCell(client.settings.name, at: path(ofApplication: client.id), note: client.id),
                TableCell(
                    client.settings.groups.isEmpty
                        ? say("admin.everyone") : client.settings.groups.joined(separator: ", ")),
                TableCell(ago(client.usedAt)), user, TableCell(badges: badges(of: client)),
            ])
        }
        let table = PageTable(
            say("web.admin_applications"),
            [
                .init(say("admin.column_name"), .title), .init(say("admin.column_members_of"), .line, isLabelled: true),
                .init(say("admin.column_login"), .keep, isLabelled: true),
                .init(say("admin.column_by"), .line, isLabelled: true), .init(say("admin.column_state"), .side),
            ], rows: rows)
        return show(
            AdminPage(
                .applications, say("web.admin_applications"),
                actions: [.link(say("admin.new_application"), AdminPage.root + "/new-application")],
                notice + [
                    rows.isEmpty
                        ? .empty(say("admin.applications_none"), say("admin.applications_none_help"), nil)
                        : .table(table),
                    .pages(end(of: rows.count, isLast: true, isFirst: true), nil),
                ]))
    }

    /// The account that has logged in to each application last, as far as the newest logins show it.
    private func lastUsers() async throws(AccountError) -> [String: AccountID] {
        let recent = try await service.recentAudit(
            matching: AuditFilter(events: [AuditEvent.grantCreated.rawValue]), limit: ApplicationsAdmin.logins)
        var users: [String: AccountID] = [:]
        for record in recent.rows.compactMap(\.record) {
            guard record.reason.hasPrefix("client:"), let account = record.account else { continue }
            let id = String(record.reason.dropFirst("client:".count))
            if users[id] == nil { users[id] = account }
        }
        return users
    }

    // MARK: Confirmations

    private func ask(_ title: String, _ sentence: String, _ answer: String) async throws -> HTTPResponse {
        let client = try await client()
        let values: [String: RuleFailure.Value] = ["name": .text(client.settings.name)]
        return show(
            AdminQuestion(
                .applications, say(title, values), [say(sentence, values)],
                back: client.settings.name, keep: .link(say("web.cancel"), path(ofApplication: client.id)),
                confirm: .button(say(answer), path, doing: "confirm")))
    }

    fileprivate func askBeforeDisabling() async throws -> HTTPResponse {
        try await ask("admin.disable_ask", "admin.disable_application_help", "admin.disable")
    }

    fileprivate func disableApplication() async throws -> HTTPResponse {
        let client = try await client()
        return try await changing(client) { () async throws(AccountService.ClientRefusal) in
            try await service.updateClient(client.id, by: actor) { $0.isDisabled = true }
            return .done("disabled")
        }
    }

    fileprivate func askBeforeRemoval() async throws -> HTTPResponse {
        try await ask("admin.remove_application_ask", "admin.remove_application_help", "web.remove")
    }

    fileprivate func removeApplication() async throws -> HTTPResponse {
        let client = try await client()
        do throws(AccountService.ClientRefusal) { try await service.removeClient(client.id, by: actor) } catch {
            return refused(
                .applications, client.settings.name, try sentence(about: error),
                back: .link(client.settings.name, path(ofApplication: client.id)))
        }
        return done("deleted", at: applicationsLink.path)
    }
}
