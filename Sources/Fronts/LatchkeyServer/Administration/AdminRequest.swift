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
        [.admin("GET", "") { try await $0.overview() }] + PeopleAdmin.routes + PersonAdmin.routes + SessionsAdmin.routes
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
        "added", "changed", "confirmed", "deleted", "disabled", "enabled", "ended", "factors_removed", "link_sent",
        "removed",
        "required", "revoked", "unlocked", "nothing",
    ]

    /// Redirects to a page, which shows a notice.
    func done(_ note: String, at path: String) -> HTTPResponse { page.redirection(to: path + "?note=" + note) }

    /// A page that says why nothing was changed.
    func refused(_ tab: AdminPage.Tab, _ title: String, _ reason: String, back: PageAction, status: Int = 409)
        -> HTTPResponse
    {
        show(AdminPage(tab, title, back: back, [.alert(say("admin.refused"), [reason])]), status: status)
    }

    /// A page with a form of fields, which posts to the path of this request.
    func form(
        _ model: FormViewModel, _ tab: AdminPage.Tab, back: (text: String, path: String), status: Int = 200
    ) -> HTTPResponse {
        var site = site
        site.back = back
        site.tab = tab
        site.offersPasskeys = false
        return page.html(FormPage(model.form, model.state, on: site, postingTo: path).html, status: status)
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
    /// A page of the administration. Every change needs a password that was given in the last minutes.
    ///
    /// - Parameters:
    ///   - path: the path after ``AdminPage/root``. Every path with a `POST` has a `GET`, to which the check of the
    ///     password returns.
    ///   - isRecent: whether the page needs that password too, because its form would otherwise be lost.
    static func admin(
        _ method: String, _ path: String, isRecent: Bool = false,
        handler: @escaping @Sendable (AdminRequest) async throws -> HTTPResponse
    ) -> Route {
        Route(method, AdminPage.root + path, .administrator, .cookie) { request, live, parameters in
            let admin = AdminRequest(page: PageRequest(request), live: live, parameters: parameters)
            guard request.http.isSafe && !isRecent || request.service.isRecentlyAuthenticated(live.session) else {
                // The change is not repeated by itself: the person sees what it was about to change.
                let note = request.http.isSafe ? "" : "?note=confirmed"
                return admin.page.redirection(to: .reauthenticate, returningTo: admin.path + note)
            }
            do { return try await handler(admin) } catch let error as AccountError {
                return admin.response(to: error)
            } catch {
                return admin.page.failure(.noRandomness)
            }
        }
    }
}
