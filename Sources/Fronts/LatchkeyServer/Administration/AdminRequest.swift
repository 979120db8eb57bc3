import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeySecrets
import LatchkeyWeb

/// The pages of the administration: people, sessions, audit, invitations, groups, applications and settings.
enum AdminRoutes {
    static func routes(of site: ServiceSite) -> [Route] {
        [.admin("GET", "") { try await $0.overview() }, .admin("POST", "") { await $0.checkAgain() }]
            + PeopleAdmin.routes + PersonAdmin.routes + SessionsAdmin.routes
            + AuditAdmin.routes + InvitationsAdmin.routes + GroupsAdmin.routes + SettingsAdmin.routes
            + (site.service.settings.openID.isEnabled ? ApplicationsAdmin.routes : [])
    }
}

/// An administrator's request for a page of the administration.
struct AdminRequest: Sendable {
    let page: PageRequest
    /// The session of the administrator.
    let live: LiveSession
    let parameters: Router.Parameters
    /// Whether the person must confirm the password before the posted form is accepted.
    var mustConfirm = false

    var request: WebRequest { page.request }
    var service: AccountService { page.request.service }
    /// The actor of every change.
    var actor: AuditActor { .account(live.account.id) }
    /// The path of the request, which is that of its page.
    var path: String { request.http.target.rawPath }

    /// The number of rows on a page.
    static let rows = 50

    /// A sentence.
    func say(_ code: String, _ values: [String: RuleFailure.Value] = [:]) -> String {
        request.messages.sentence(code, values)
    }

    /// The time since or until `time`, in words; for nil, "never".
    func ago(_ time: Timestamp?) -> String {
        time.map { request.messages.relative($0, now: service.clock.now()) } ?? say("admin.never")
    }

    /// A scope in words; nil for `openid`.
    func scopeWords(_ scope: String) -> String? {
        ScopeWords.words(for: scope, request.forms.form(for: .setup).fields, request.messages)
    }

    /// The value of a query parameter, at most 256 bytes; nil if it is missing, repeated or empty.
    func query(_ name: String) -> String? {
        request.http.target[name].flatMap { 1...256 ~= $0.utf8.count ? $0 : nil }
    }

    /// The value of a posted field; empty if it is missing.
    func posted(_ name: String) -> String { Submission.value(of: name, in: request.http.body) ?? "" }

    /// The account with a typed username, address or ID; nil if there is none.
    func account(named typed: String) async throws(AccountError) -> Account? {
        guard let lookup = AccountLookup(typed) else { return nil }
        do throws(AccountError) { return try await service.account(lookup) } catch .noSuchAccount { return nil }
    }

    // MARK: Responses

    var site: WebSite {
        var site = page.webSite(isSignedIn: true)
        site.accountName = live.account.name
        site.isAdministrator = true
        return site
    }

    /// A page, with the notice that a redirect asked for.
    func show(_ shown: AdminPage, status: Int = 200) -> HTTPResponse { page.html(shown.html(on: site), status: status) }

    func show(_ question: AdminQuestion, status: Int = 200) -> HTTPResponse {
        page.html(question.html(on: site), status: status)
    }

    /// The notice of the change that led here, as a block.
    var notice: [PageBlock] {
        guard let code = query("note"), Self.notes.contains(code) else { return [] }
        return [.notice(say("admin.note_" + code))]
    }

    /// The notices that a redirect can ask for.
    private static let notes: Set<String> = [
        "added", "changed", "checking", "confirmed", "confirmed_here", "deleted", "disabled", "enabled", "ended",
        "ended_one",
        "factors_removed",
        "link_kept", "link_sent",
        "removed",
        "required", "revoked", "unlocked", "nothing",
    ]

    /// Asks before a button does what nothing can undo. The answer posts the button's value with ``sure(_:)``.
    func ask(
        _ tab: AdminPage.Tab, _ title: String, _ help: String, _ answer: String, named name: String,
        doing value: String,
        back: (text: String, path: String)
    ) -> HTTPResponse {
        show(
            AdminQuestion(
                tab, title, [help], back: back.text, keep: .link(say("web.cancel"), back.path),
                confirm: .button(answer, path, doing: value, named: Self.sure(name))))
    }

    /// The value of a button, and whether its question was answered; nil if it was not pressed.
    func pressed(_ name: String) -> (value: String, isSure: Bool)? {
        let (asked, sure) = (posted(name), posted(Self.sure(name)))
        return sure.isEmpty ? asked.isEmpty ? nil : (asked, false) : (sure, true)
    }

    private static func sure(_ name: String) -> String { "sure_" + name }

    /// Redirects to a page, which shows a notice.
    func done(_ note: String, at path: String) -> HTTPResponse { page.redirection(to: path + "?note=" + note) }

    /// A page that says why nothing was changed.
    func refused(_ tab: AdminPage.Tab, _ title: String, _ reason: String, back: PageAction, status: Int = 409)
        -> HTTPResponse
    {
        show(AdminPage(tab, title, back: back, [.alert(say("admin.refused"), [reason])]), status: status)
    }

    /// A page with a form of fields, which posts to the path of this request.
    ///
    /// - Parameter version: the version of the values that it shows, for a form that changes stored ones.
    func form(
        _ model: FormViewModel, _ tab: AdminPage.Tab, back: (text: String, path: String), version: String? = nil,
        status: Int = 200
    ) -> HTTPResponse {
        var site = site
        site.back = back
        site.tab = tab
        site.offersPasskeys = false
        var confirmation: (text: String, path: String)?
        if mustConfirm {
            model.callBegan()
            model.callEnded(AlertViewModel(title: say("admin.confirm_first")))
            confirmation = (
                say("admin.confirm_in_tab"),
                page.path(of: .reauthenticate, returningTo: tab.path + "?note=confirmed_here")
            )
        }
        let shown = FormPage(
            model.form, model.state, on: site, postingTo: path, version: version, confirmation: confirmation)
        return page.html(shown.html, status: mustConfirm ? 403 : status)
    }

    /// The form to show: with the present values, or with what was typed if it was sent too long after the last login.
    func opened(_ form: Form, carrying present: [FieldKey: FieldValue] = [:]) -> FormViewModel {
        if mustConfirm, let model = model(form, carrying: present) { return model }
        return FormViewModel(form: form, carrying: present, messages: request.messages)
    }

    // MARK: Changes in between

    /// The version of stored values: equal if they are equal.
    func version(of values: [FieldKey: FieldValue]) -> String {
        let members = values.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key.rawValue, $0.value.json) }
        return Hexadecimal.text(of: SHA256Digest.of(Array(JSONValue.object(members).encoded.utf8).span))
    }

    /// Shows the form again if someone has changed the stored values since it was opened. What was typed stays, and the alert
    /// lists the new values. Returns nil if they are unchanged.
    func conflict(
        _ model: FormViewModel, _ typed: Credentials, with stored: [FieldKey: FieldValue], _ tab: AdminPage.Tab,
        back: (text: String, path: String)
    ) -> HTTPResponse? {
        let (opened, now) = (posted(FormPage.versionField), version(of: stored))
        guard !opened.isEmpty, opened != now else { return nil }
        let lines = model.form.fields.compactMap { field -> String? in
            guard let value = stored[field.apiKey], value != typed[field.apiKey] else { return nil }
            let text = value.json.string ?? value.json.encoded
            return say("admin.stored_now", ["field": .text(field.label), "value": .text(text)])
        }
        model.callBegan()
        model.callEnded(AlertViewModel(title: say("admin.changed_meanwhile"), lines: lines))
        return form(model, tab, back: back, version: now, status: 409)
    }

    /// The filled-in form of the request; nil if it is not one of our pages.
    func model(_ form: Form, carrying present: [FieldKey: FieldValue] = [:]) -> FormViewModel? {
        guard request.http.mediaType == "application/x-www-form-urlencoded",
            let submission = try? Submission(urlEncoded: request.http.body, for: form)
        else { return nil }
        return FormViewModel(form: form, carrying: present, filling: submission.values, messages: request.messages)
    }

    /// The address does not exist.
    var missing: HTTPResponse { request.refuse(404, "not_found") }

    /// The response to an error of the service.
    func response(to error: AccountError) -> HTTPResponse {
        switch error {
        case .noSuchAccount, .group(.missing): missing
        case .group(.lastAdministrator):
            // Another administrator has just gone.
            refused(
                .people, say("web.admin_people"), say("api.last_administrator"),
                back: .link(say("web.admin_people"), AdminPage.Tab.people.path))
        default: page.failure(error)
        }
    }
}

extension Gate where Credential == LiveSession {
    /// A page of the administration. Everyone but administrators gets the answer of an address that does not exist.
    static var administrator: Gate {
        Gate(origin: .sameAfterProof, proof: .administrator, verification: .gate) {
            (request, _) async throws(Refusal) in
            guard let live = await request.administrator() else { throw Refusal(await request.nothingHere()) }
            guard (try? await request.service.factors(of: .id(live.account.id)))?.isEmpty == false else {
                let page = PageRequest(request)
                throw Refusal(page.redirection(to: .addFactor, note: "admin_factor", returningTo: AdminPage.root))
            }
            return live
        }
    }
}

extension FactorStatus {
    /// Whether the account has neither an authenticator app nor a passkey.
    fileprivate var isEmpty: Bool { authenticator == nil && passkeys.isEmpty }
}

extension WebRequest {
    /// The session of an administrator; nil for everyone else.
    func administrator() async -> LiveSession? {
        guard let token = cookieToken, let (live, groups) = try? await service.membership(for: token),
            live.session.scope == .full, groups.contains(service.settings.administrators)
        else { return nil }
        return live
    }

    /// The answer of an address that does not exist. As everywhere, only a `GET` costs the client nothing.
    func nothingHere() async -> HTTPResponse {
        if !http.isSafe, let wait = await wait(spending: .change) { return refuse(429, "busy", after: wait) }
        return refuse(404, "not_found")
    }
}

extension Route {
    /// A page with a form that people spend minutes on. If the password was given too long ago when they send it, the form
    /// comes back with what they typed.
    ///
    /// - Parameters:
    ///   - opens: makes the page, and changes nothing.
    ///   - sends: handles what was typed.
    static func adminForm(
        _ path: String, opens: @escaping @Sendable (AdminRequest) async throws -> HTTPResponse,
        sends: @escaping @Sendable (AdminRequest) async throws -> HTTPResponse
    ) -> [Route] {
        [
            .admin("GET", path, isRecent: true, handler: opens),
            .admin("POST", path, form: opens, handler: sends),
        ]
    }

    /// A page of the administration. Every change needs a password that was given in the last minutes.
    ///
    /// - Parameters:
    ///   - path: the path after ``AdminPage/root``. Every path with a `POST` has a `GET`, to which the check of the
    ///     password returns.
    ///   - isRecent: whether the page needs that password too, because its form would otherwise be lost.
    ///   - form: makes the page of the form that is posted; nil if no form is.
    static func admin(
        _ method: String, _ path: String, isRecent: Bool = false,
        form: (@Sendable (AdminRequest) async throws -> HTTPResponse)? = nil,
        handler: @escaping @Sendable (AdminRequest) async throws -> HTTPResponse
    ) -> Route {
        Route(method, AdminPage.root + path, .administrator, .cookie) { request, live, parameters in
            // The sentences of the administration are only in English, so the rest of the page is too.
            let shown = request.site.texts(preferred: [Language.english.rawValue]).map(request.showing) ?? request
            var admin = AdminRequest(page: PageRequest(shown), live: live, parameters: parameters)
            let isConfirmed =
                request.http.isSafe && !isRecent || request.service.isRecentlyAuthenticated(live.session)
            admin.mustConfirm = !isConfirmed && form != nil
            guard isConfirmed || admin.mustConfirm else {
                // The change is not repeated by itself: the person sees what it was about to change.
                let note = request.http.isSafe ? "" : "?note=confirmed"
                return admin.page.redirection(to: .reauthenticate, returningTo: admin.path + note)
            }
            do { return try await (admin.mustConfirm ? form ?? handler : handler)(admin) } catch let error
                as AccountError
            {
                return admin.response(to: error)
            } catch {
                return admin.page.failure(.noRandomness)
            }
        }
    }
}
