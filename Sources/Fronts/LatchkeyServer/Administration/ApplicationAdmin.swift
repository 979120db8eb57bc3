import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyOpenID
import LatchkeySecrets
import LatchkeyWeb

/// `/admin/applications/ID`: one application, and what an administrator can do with it.
extension AdminRequest {
    func application() async throws -> HTTPResponse { try await show(try await client(), []) }

    /// The page of an application, with blocks above its sections.
    func show(_ client: Client, _ blocks: [PageBlock]) async throws -> HTTPResponse {
        let here = path(ofApplication: client.id)
        let issuer = request.site.configuration.origin.text
        let secrets = client.secretDigests.count
        let secret =
            client.settings.isPublic
            ? say("admin.secret_public")
            : say(
                secrets == 2 ? "admin.secrets_two" : "admin.secret_one")
        let change: PageAction =
            secrets == 2
            ? .button(say("admin.retire"), here, doing: "retire")
            : .button(say("admin.new_secret"), here, doing: "secret")
        let actions = client.settings.isPublic ? [] : [change]
        let connection = PageSection(
            "connection", say("admin.connection"), help: say("admin.connection_help"),
            facts: [
                PageFact(say("admin.issuer"), issuer, isCopied: true),
                PageFact(say("admin.client_id"), client.id, isCopied: true), PageFact(say("admin.secret"), secret),
            ], actions: actions)
        let endpoints = PageSection(
            "endpoints", say("admin.endpoints"), help: say("admin.endpoints_help"),
            facts: ProviderEndpoint.all(of: issuer).map { PageFact($0.title, $0.url, isCopied: true) })
        let settings = PageSection(
            "settings", say("web.admin_settings"), help: say("admin.application_settings_help"),
            facts: ClientSetting.all.flatMap { $0.facts(of: client, self) },
            actions: [.link(say("admin.edit"), here + "/settings", describedAs: say("admin.edit_application"))])
        let explanation = try await explanation(of: client)
        // A name may be mistyped, or its group comes later.
        let unknown = try await service.unknownGroups(client.settings.namedGroups).map { name in
            PageBlock.alert(say("admin.no_group_yet", ["group": .text(name)]), [say("admin.no_group_yet_help")])
        }
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
                back: .link(applicationsLink.text, applicationsLink.path),
                actions: isOn ? [] : [.button(say("admin.enable"), here, doing: "enable")],
                notice + blocks + unknown
                    + [connection, endpoints, settings, explanation, danger].map { .section($0) }))
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
                        [say("admin.refusal_" + refusal.rawValue)])
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

    func changeApplication() async throws -> HTTPResponse {
        let client = try await client()
        let (change, isSure) = pressed("do") ?? ("", false)
        if change == "retire", !isSure {
            return ask(
                .applications, say("admin.retire_ask", ["name": .text(client.settings.name)]),
                say("admin.retire_help"), say("admin.retire"), named: "do", doing: change,
                back: (client.settings.name, path))
        }
        return try await changing(client) { () async throws(AccountService.ClientRefusal) in
            switch change {
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

    enum Change {
        case done(String)
        case secret(Secret)
    }

    /// Calls the service, and shows its answer on the page of the application.
    func changing(
        _ client: Client, _ call: () async throws(AccountService.ClientRefusal) -> Change
    ) async throws -> HTTPResponse {
        do throws(AccountService.ClientRefusal) {
            switch try await call() {
            case .done(let note): return done(note, at: path(ofApplication: client.id))
            case .secret(let secret):
                return try await wrapped {
                    // The application has one secret more now.
                    try await show(
                        try await self.client(),
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

    /// Makes a page, with an error of the store as a refusal.
    func wrapped(
        _ make: () async throws -> HTTPResponse
    ) async throws(AccountService.ClientRefusal) -> HTTPResponse {
        do { return try await make() } catch let error as AccountError { throw .failed(error) } catch {
            throw .failed(.noRandomness)
        }
    }

    /// The reason of a refusal.
    ///
    /// - Throws: an ``AccountError`` that has nothing to do with applications.
    func sentence(about refusal: AccountService.ClientRefusal) throws(AccountError) -> String {
        if let (key, reason) = refusedSetting(refusal) {
            return say("api.bad_application", ["name": .text(title(ofSetting: key)), "reason": .text(reason)])
        }
        switch refusal {
        case .unknown: return say("api.no_such_application")
        case .exists: return say("api.application_exists")
        case .tooMany: return say("api.too_many_applications")
        case .hasTwoSecrets: return say("api.application_two_secrets")
        case .hasOneSecret: return say("api.application_one_secret")
        case .isPublic: return say("api.application_public")
        case .hasSecret: return say("admin.application_has_secret")
        case .failed(let error): throw error
        case .badID, .unreadable, .refused: return say("api.bad_application_body")
        }
    }

    /// The setting that is refused, and the reason as the end of a sentence about it; nil for another refusal.
    func refusedSetting(_ refusal: AccountService.ClientRefusal) -> (key: String, reason: String)? {
        switch refusal {
        case .badID: (Self.applicationID.rawValue, "must match \(ClientID.pattern)")
        case .unreadable(.unknownKey(let key)): (String(key.prefix(64)), "")
        case .unreadable(.badValue(let key, let problem)): (key, problem)
        case .unreadable(.missing(let key)): (key, ClientSetting.named(key)?.rule ?? "")
        case .refused(let problem): (problem.setting, problem.predicate(naming: title(ofSetting:)))
        case .unreadable(.notAnObject), .unknown, .exists, .tooMany, .hasTwoSecrets, .hasOneSecret, .isPublic,
            .hasSecret, .failed:
            nil
        }
    }

    private func title(ofSetting key: String) -> String {
        key == Self.applicationID.rawValue ? say("admin.client_id") : ClientSetting.named(key)?.title ?? key
    }
}
