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
            .admin("GET", "/new-application", isRecent: true) { await $0.newApplication() },
            .admin("POST", "/new-application") { try await $0.addApplication() },
            .admin("GET", "/applications/{id}") { try await $0.application() },
            .admin("POST", "/applications/{id}") { try await $0.changeApplication() },
            .admin("GET", "/applications/{id}/settings", isRecent: true) { try await $0.settingsForm() },
            .admin("POST", "/applications/{id}/settings") { try await $0.changeSettings() },
            .admin("GET", "/applications/{id}/disable", isRecent: true) { try await $0.askBeforeDisabling() },
            .admin("POST", "/applications/{id}/disable") { try await $0.disableApplication() },
            .admin("GET", "/applications/{id}/remove", isRecent: true) { try await $0.askBeforeRemoval() },
            .admin("POST", "/applications/{id}/remove") { try await $0.removeApplication() },
        ]
    }

    fileprivate static let id: FieldKey = "client_id"
    /// The number of logins among which the last user of each application is looked for.
    fileprivate static let logins = 500
}

extension AdminRequest {
    /// The path of an application's page.
    func path(ofApplication id: String) -> String {
        AdminPage.Tab.applications.path + "/" + PercentEncoding.encoded(id)
    }

    private var list: (text: String, path: String) {
        (say("web.admin_applications"), AdminPage.Tab.applications.path)
    }

    private func client() async throws(AccountError) -> Client {
        guard let client = try await service.client(parameters["id"]) else { throw .noSuchAccount }
        return client
    }

    private func badges(of client: Client) -> [PageBadge] {
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

    // MARK: One application

    fileprivate func application() async throws -> HTTPResponse { try await show(try await client(), []) }

    private func show(_ client: Client, _ blocks: [PageBlock]) async throws -> HTTPResponse {
        let here = path(ofApplication: client.id)
        let issuer = request.site.configuration.origin.text
        let secrets = client.secretDigests.count
        let secret =
            client.settings.isPublic
            ? say("admin.secret_public")
            : say(
                secrets == 2 ? "admin.secrets_two" : "admin.secret_one")
        var actions: [PageAction] = [.link(say("admin.edit"), here + "/settings")]
        if !client.settings.isPublic {
            actions.append(
                secrets == 2
                    ? .button(say("admin.retire"), here, doing: "retire")
                    : .button(say("admin.new_secret"), here, doing: "secret"))
        }
        let connection = PageSection(
            "connection", say("admin.connection"), help: say("admin.connection_help"),
            facts: [
                PageFact("Issuer", issuer), PageFact("Client ID", client.id),
                PageFact(say("admin.secret"), secret),
            ]
                + ProviderEndpoint.all(of: issuer).map { PageFact($0.title, $0.url) }, actions: actions)
        let settings = PageSection(
            "settings", say("web.admin_settings"),
            facts: ClientSetting.all.compactMap { setting in
                let text = setting.shown(setting.value(in: client.settings), self)
                return text.isEmpty ? nil : PageFact(setting.title, text)
            })
        let explanation = try await explanation(of: client)
        let isOn = !client.isDisabled
        let danger = PageSection(
            "danger", say("admin.danger"),
            rows: (isOn
                ? [
                    PageRow(
                        say("admin.disable"), [say("admin.disable_application_help")],
                        action: .link(
                            say("admin.disable"), here + "/disable",
                            describedAs: say("admin.disable") + ": " + client.settings.name, isDangerous: true))
                ] : [])
                + [
                    PageRow(
                        say("web.remove"), [say("admin.remove_application_help")],
                        action: .link(
                            say("web.remove"), here + "/remove",
                            describedAs: say("web.remove") + ": " + client.settings.name, isDangerous: true))
                ])
        return show(
            AdminPage(
                .applications, client.settings.name, badges: badges(of: client),
                subtitle: say(
                    "admin.application_dates",
                    ["created": .text(ago(client.createdAt)), "login": .text(ago(client.usedAt))]),
                back: .link(list.text, list.path),
                actions: isOn ? [] : [.button(say("admin.enable"), here, doing: "enable")],
                notice + blocks + [.section(connection), .section(settings), .section(explanation), .section(danger)]))
    }

    /// What the application would receive about the person that the administrator asks about, or the rule that refuses
    /// it.
    private func explanation(of client: Client) async throws -> PageSection {
        let who = query("who")
        let form = InlineForm(
            path(ofApplication: client.id), isSearch: true,
            [PageField("who", say("admin.member"), value: who ?? "")], submit: say("admin.explain"))
        var (facts, rows): ([PageFact], [PageRow]) = ([], [])
        if let who {
            var found: AccessPreview?
            if let account = try await account(named: who) {
                found = try await service.previewAccess(of: client.id, to: .id(account.id))
            }
            if let found, let refusal = found.refusal {
                rows = [
                    PageRow(
                        say("admin.explain_refused", ["name": .text(found.account.name)]),
                        badge: PageBadge(AccessRefusal.rule, .bad), [say("admin.refusal_" + refusal.rawValue)])
                ]
            } else if let found {
                let claims = AccountClaims(
                    of: found.account, in: found.groups, for: client.settings.scopes, request.forms)
                facts = claims.userInfo(for: client.settings).map {
                    PageFact($0.key, $0.value.string ?? $0.value.encoded)
                }
            } else {
                rows = [PageRow(say("admin.no_such_member", ["name": .text(who)]))]
            }
        }
        return PageSection(
            "explain", say("admin.explain_title"), help: say("admin.explain_help"), facts: facts, rows: rows, form: form
        )
    }

    fileprivate func changeApplication() async throws -> HTTPResponse {
        let client = try await client()
        return try await changing(client) { () async throws(AccountService.ClientRefusal) in
            switch posted("do") {
            case "enable":
                try await service.updateClient(client.id, by: actor) { $0.isDisabled = false }
                return .done("enabled")
            case "secret": return .secret(try await service.addClientSecret(to: client.id, by: actor).secret)
            case "retire":
                try await service.retireClientSecret(of: client.id, by: actor)
                return .done("removed")
            default: return .done("nothing")
            }
        }
    }

    private enum Change {
        case done(String)
        case secret(Secret)
    }

    /// Calls the service, and shows its answer on the page of the application.
    private func changing(
        _ client: Client, _ call: () async throws(AccountService.ClientRefusal) -> Change
    ) async throws -> HTTPResponse {
        do throws(AccountService.ClientRefusal) {
            switch try await call() {
            case .done(let note): return done(note, at: path(ofApplication: client.id))
            case .secret(let secret):
                return try await wrapped {
                    try await show(
                        client,
                        [
                            .secret(
                                title: say("admin.secret_made"), help: say("admin.secret_made_help"),
                                label: say("admin.secret"), secret)
                        ])
                }
            }
        } catch {
            return refused(
                .applications, client.settings.name, try sentence(about: error),
                back: .link(client.settings.name, path(ofApplication: client.id)))
        }
    }

    private func wrapped(
        _ make: () async throws -> HTTPResponse
    ) async throws(AccountService.ClientRefusal) -> HTTPResponse {
        do { return try await make() } catch let error as AccountError { throw .failed(error) } catch {
            throw .failed(.noRandomness)
        }
    }

    /// The reason of a refusal.
    ///
    /// - Throws: an ``AccountError`` that has nothing to do with applications.
    private func sentence(about refusal: AccountService.ClientRefusal) throws(AccountError) -> String {
        func setting(_ name: String, _ reason: String) -> String {
            say("api.bad_application", ["name": .text(name), "reason": .text(reason)])
        }
        func title(_ key: String) -> String { ClientSetting.named(key)?.title ?? key }
        switch refusal {
        case .unknown: return say("api.no_such_application")
        case .exists: return say("api.application_exists")
        case .tooMany: return say("api.too_many_applications")
        case .hasTwoSecrets: return say("api.application_two_secrets")
        case .hasOneSecret: return say("api.application_one_secret")
        case .isPublic: return say("api.application_public")
        case .hasSecret: return say("admin.application_has_secret")
        case .badID: return setting("Client ID", "must match \(ClientID.pattern)")
        case .unreadable(.unknownKey(let key)): return setting(String(key.prefix(64)), "")
        case .unreadable(.badValue(let key)), .unreadable(.missing(let key)):
            return setting(title(key), ClientSetting.named(key)?.rule ?? "")
        case .unreadable(.notAnObject): return say("api.bad_application_body")
        case .refused(let problem): return setting(title(problem.setting), problem.predicate(naming: title))
        case .failed(let error): throw error
        }
    }

    // MARK: Settings

    private func fields(isNew: Bool) -> Form {
        let id = PageFormField(
            ApplicationsAdmin.id, "Client ID", help: say("admin.client_id_help"),
            rules: [RequiredRule(), OperatorTextRule.clientID])
        // Most applications need only the first settings.
        let first: [ClientSetting] = [.name, .redirectURIs, .scopes, .groups]
        let rest = ClientSetting.all.filter { setting in !first.contains { $0.key == setting.key } }
        var settings = (first + rest).map(\.field)
        settings[first.count].page = say("admin.more_settings")
        return Form(
            id: "application", title: say(isNew ? "admin.new_application" : "admin.edit_application"),
            submit: say(isNew ? "admin.add_application" : "admin.save"), fields: (isNew ? [id] : []) + settings)
    }

    fileprivate func newApplication() async -> HTTPResponse {
        // The name of a new application is its ID.
        let present = ClientID("new").map { id in
            ClientSetting.all.filter { $0.key != ClientSetting.name.key }.map {
                ($0.fieldKey, $0.fieldValue(in: ClientSettings(of: id)))
            }
        }
        return form(
            FormViewModel(
                form: fields(isNew: true), carrying: Dictionary(present ?? []) { first, _ in first },
                messages: request.messages), .applications, back: list)
    }

    fileprivate func addApplication() async throws -> HTTPResponse {
        guard let model = model(fields(isNew: true)) else { return page.notice(400, "page.bad_request") }
        guard request.validate(model).isEmpty, let credentials = model.takeCredentials(),
            let id = credentials.text(ApplicationsAdmin.id).flatMap(ClientID.init)
        else { return form(model, .applications, back: list, status: 422) }
        do throws(AccountService.ClientRefusal) {
            let settings = try settings(of: id, credentials)
            let (client, secret) = try await service.addClient(id.text, settings, by: actor)
            guard let secret else { return done("added", at: path(ofApplication: client.id)) }
            return try await wrapped {
                try await show(
                    client,
                    [
                        .secret(
                            title: say("admin.application_added"), help: say("admin.application_added_help"),
                            label: say("admin.secret"), secret)
                    ])
            }
        } catch {
            return try refuse(error, model, back: list)
        }
    }

    private func refuse(
        _ refusal: AccountService.ClientRefusal, _ model: FormViewModel, back: (text: String, path: String)
    ) throws -> HTTPResponse {
        model.callBegan()
        model.callEnded(AlertViewModel(title: try sentence(about: refusal)))
        return form(model, .applications, back: back, status: 422)
    }

    private func settings(
        of id: ClientID, _ credentials: Credentials
    ) throws(AccountService.ClientRefusal) -> ClientSettings {
        var members: [(key: String, value: JSONValue)] = []
        for setting in ClientSetting.all {
            guard let value = setting.json(of: credentials.value(setting.fieldKey)) else { continue }
            members.append((setting.key, value))
        }
        var settings = ClientSettings(of: id)
        do throws(ClientSettingsFailure) { try settings.apply(.object(members)) } catch { throw .unreadable(error) }
        if let problem = settings.problem(
            in: ProviderVocabulary(request.forms), changing: Set(ClientSettings.keys))
        {
            throw .refused(problem)
        }
        return settings
    }

    fileprivate func settingsForm() async throws -> HTTPResponse {
        let client = try await client()
        let present = ClientSetting.all.map { ($0.fieldKey, $0.fieldValue(in: client.settings)) }
        let model = FormViewModel(
            form: fields(isNew: false), carrying: Dictionary(present) { first, _ in first }, messages: request.messages)
        return form(model, .applications, back: (client.settings.name, path(ofApplication: client.id)))
    }

    fileprivate func changeSettings() async throws -> HTTPResponse {
        let client = try await client()
        let back = (client.settings.name, path(ofApplication: client.id))
        guard let model = model(fields(isNew: false)), let id = ClientID(client.id) else {
            return page.notice(400, "page.bad_request")
        }
        guard request.validate(model).isEmpty, let credentials = model.takeCredentials() else {
            return form(model, .applications, back: back, status: 422)
        }
        do throws(AccountService.ClientRefusal) {
            let settings = try settings(of: id, credentials)
            let changed = try await service.updateClient(client.id, by: actor) { $0.settings = settings }
            return done(changed == client ? "nothing" : "changed", at: path(ofApplication: client.id))
        } catch {
            return try refuse(error, model, back: back)
        }
    }

    // MARK: Confirmations

    private func ask(_ title: String, _ sentence: String, _ answer: String) async throws -> HTTPResponse {
        let client = try await client()
        let values: [String: RuleFailure.Value] = ["name": .text(client.settings.name)]
        return show(
            AdminQuestion(
                .applications, say(title, values), [say(sentence, values)],
                keep: .link(say("admin.keep_application"), path(ofApplication: client.id)),
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
        return done("deleted", at: list.path)
    }
}

extension ClientSetting {
    fileprivate var fieldKey: FieldKey { FieldKey(rawValue: key) }

    /// The field of the setting. Only a list of free texts and an object have several lines.
    fileprivate var field: PageFormField {
        let title = title
        let help = summary.replacing("; can be repeated", with: ", one in each line")
        switch kind {
        case .flag: return PageFormField(fieldKey, title, as: .boolean, help: help)
        case .name, .text: return PageFormField(fieldKey, title, help: help, isOptional: true)
        case .list, .object: return PageFormField(fieldKey, title, as: .multiline, help: help, isOptional: true)
        case .choices(let words):
            return PageFormField(
                fieldKey, title, as: .choices, help: help, isOptional: true, options: words.map { FieldOption($0) })
        case .choice(let words, let isOptional):
            return PageFormField(
                fieldKey, title, as: .choice, help: help, isOptional: isOptional, options: words.map { FieldOption($0) }
            )
        }
    }

    fileprivate func fieldValue(in settings: ClientSettings) -> FieldValue {
        switch value(in: settings) {
        case .bool(let isOn): .boolean(isOn)
        case .string(let text): .text(text)
        case .array(let elements):
            if case .choices = kind {
                .list(elements.compactMap(\.string))
            } else {
                .text(elements.compactMap(\.string).joined(separator: "\n"))
            }
        case .null: .text("")
        case let value: .text(value.encoded)
        }
    }

    /// The JSON of a typed value; nil for the default.
    fileprivate func json(of value: FieldValue?) -> JSONValue? {
        switch (kind, value) {
        case (_, nil): return nil
        case (.flag, .boolean(let isOn)?): return .bool(isOn)
        case (.choices, .list(let words)?): return words.isEmpty ? nil : .array(words.map { .string($0) })
        case (.list, .text(let text)?):
            let lines = text.split(whereSeparator: \.isNewline).map(String.init).filter { !$0.isEmpty }
            return lines.isEmpty ? nil : .array(lines.map { .string($0) })
        case (.object, .text(let text)?):
            guard !text.isEmpty else { return nil }
            return JSONValue(line: Array(text.replacing("\n", with: " ").utf8)) ?? .string(text)
        case (_, .text(let text)?): return text.isEmpty ? nil : .string(text)
        case (_, _?): return .null
        }
    }

    /// The value for people; empty for none.
    fileprivate func shown(_ value: JSONValue, _ admin: AdminRequest) -> String {
        switch value {
        case .bool(let isOn): isOn ? admin.say("page.yes") : ""
        case .string(let text): text
        case .array(let elements): elements.compactMap(\.string).joined(separator: ", ")
        case .null: ""
        case let value: value.encoded
        }
    }
}
