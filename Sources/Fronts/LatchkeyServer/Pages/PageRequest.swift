import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeySecrets
import LatchkeyWeb

/// A request for a page, and the responses that pages need.
struct PageRequest: Sendable {
    let request: WebRequest

    init(_ request: WebRequest) { self.request = request }

    /// The tokens of the browser, and those of a session that starts with this request.
    func tokens() -> RequestTokens {
        RequestTokens(request.cookieToken, pending: pendingToken, on: request.device)
    }

    /// The form of a flow, filled with values of the account or the submission.
    func model(
        of flow: AccountType, carrying present: [FieldKey: FieldValue] = [:],
        filling inputs: [FieldKey: FieldInput] = [:]
    ) -> FormViewModel {
        FormViewModel(
            form: request.form(for: flow), carrying: present, filling: inputs, messages: request.messages)
    }

    /// The properties that all pages have in common.
    func webSite(isSignedIn: Bool, returnTo: String? = nil) -> WebSite {
        var web = WebSite(name: request.site.service.settings.serviceName, messages: request.messages)
        web.returnTo = returnTo
        web.isSignedIn = isSignedIn
        web.offersPasskeys = offersPasskeys
        web.theme = request.site.configuration.theme
        return web
    }

    /// The properties of a page of the logged-in account: the header names the account, leads its administrators to the
    /// administration, and has the logout. Without a valid session, the page has the header of every other page.
    ///
    /// - Parameter token: the token of the session; nil for that of the browser.
    func accountSite(_ token: Secret? = nil, returnTo: String? = nil) async -> WebSite {
        let token = token ?? request.cookieToken
        var web = webSite(isSignedIn: false, returnTo: returnTo)
        if let token, let (live, groups) = try? await request.service.membership(for: token) {
            web.isSignedIn = true
            web.accountName = live.account.name
            web.mustChangePassword = live.session.scope != .full
            web.isAdministrator =
                live.session.scope == .full && groups.contains(request.service.settings.administrators)
        }
        return web
    }

    /// The page that shows a form.
    ///
    /// - Parameter submission: what the browser has submitted, if the page shows its refusal. The code of a message stays on
    ///   the page; other secrets do not.
    func page(
        of model: FormViewModel, for flow: AccountType, status: Int = 200, returnTo: String? = nil,
        invitation: String? = nil, authenticator: (uri: Secret, secret: Secret)? = nil,
        keeping submission: Submission? = nil
    ) async -> HTTPResponse {
        let returnTo = checkedReturn(returnTo ?? request.http.target["return"])
        var form = model.form
        let hasFactor = await ownerHasFactor(flow)
        if flow == .changePassword || flow == .resetPassword {
            // What the page asks for. The account of a message's link is not known yet.
            form = request.form(for: flow, hasFactor: hasFactor)
        }
        if !request.signUpIsOpen { form = form.without(linksTo: .setup) }
        // An owner may also set up an authenticator app before a session starts.
        var web =
            flow.traits.token.isOfSession
            ? await accountSite(returnTo: returnTo) : webSite(isSignedIn: false, returnTo: returnTo)
        web.invitation = invitation
        web.hasFactor = hasFactor
        web.application = await destinationName(of: returnTo)
        var factors = FormPage.Factors()
        if flow == .secondFactor, let pendingToken,
            let (name, status) = (try? await request.service.factors(pending: pendingToken)) ?? nil
        {
            web.accountName = name
            web.offersPasskeys = web.offersPasskeys && !status.passkeys.isEmpty
            factors = FormPage.Factors(
                hasApp: status.authenticator != nil, hasSavedCodes: status.savedCodes > 0,
                wasSavedCode: submission?.isSavedCode ?? false)
        }
        // The page for an app offers only that; passkeys are added on the page of the account.
        if flow == .addFactor { web.offersPasskeys = false }
        var (waiting, current): (EmailAddress?, String?)
        if flow == .profile, let token = request.cookieToken {
            waiting = (try? await request.service.waitingAddress(token: token)) ?? nil
            current = try? await request.service.session(for: token).account.email.typed
            if waiting == nil { form = form.without(.code) }
        }
        var code: Secret?
        if [.resetPassword, .profile].contains(flow), case .bytes(let typed)? = submission?.values[.code] {
            code = typed.isEmpty ? nil : typed
        }
        if flow == .resetPassword, let account = submission?.account, 1...Self.longestName ~= account.utf8.count {
            web.accountName = account
        }
        // The box about the address that waits says that a message was sent.
        let isInBox = waiting != nil && Self.notesAboutAddress.contains(request.http.target["note"] ?? "")
        let page = FormPage(
            form, model.state, on: web,
            notice: status == 200 && !isInBox ? note : nil, authenticator: authenticator, keeping: code,
            waiting: waiting.map { address in
                FormPage.WaitingAddress(
                    address.typed, insteadOf: current ?? "", isSentAgain: request.http.target["note"] == "sent_again")
            }, factors: factors,
            isCaution: request.http.target["note"].map(Self.cautions.contains) ?? false)
        return html(page.html, status: status)
    }

    /// Whether the owner who changes the password has a second factor.
    private func ownerHasFactor(_ flow: AccountType) async -> Bool {
        guard flow == .changePassword, let token = request.cookieToken,
            let factors = try? await request.service.factors(token: token)
        else { return false }
        return factors.hasFactor
    }

    /// The maximum length, in bytes, of a name in a mail's link or on the login page. It may be an e-mail address.
    static let longestName = 320

    /// A page that only shows a message.
    func notice(_ status: Int, _ code: String) -> HTTPResponse {
        let page = NoticePage(
            request.messages.sentence(code), [request.messages.sentence(code + "_what")],
            links: [(request.messages.sentence("page.start"), "/")], on: webSite(isSignedIn: false))
        return html(page.html, status: status)
    }

    /// The page that reports a failure of the service.
    func failure(_ error: AccountError) -> HTTPResponse {
        let response = NetworkResponse(error)
        let page = NoticePage(
            request.messages.sentence(
                response.sentenceCode, ["seconds": .integer(response.secondsToWait ?? 0)]),
            links: [(request.messages.sentence("page.start"), "/")], on: webSite(isSignedIn: false))
        return html(page.html, status: response.publicStatus)
    }

    /// The sentence that a redirect requested; nil if there is none. Only known sentences are accepted, because anyone
    /// can write the query.
    var note: String? {
        guard let code = request.http.target["note"], Self.notes.contains(code) else { return nil }
        return request.messages.sentence("note." + code)
    }

    /// The notes about a message to a new address.
    private static let notesAboutAddress: Set<String> = ["sent", "sent_again"]

    /// The notes that are shown as warnings.
    private static let cautions: Set<String> = [
        "admin_factor", "change", "expired", "factor_needed", "invitation_over",
    ]

    private static let notes: Set<String> = [
        "disconnected", "sent", "sent_again", "set", "changed", "saved", "deleted", "ended", "others_ended", "out",
        "welcome", "change",
        "expired", "invitation_over",
        "factor_needed", "factor_removed", "admin_factor",
        "passkey_added", "passkey_removed", "app_password_removed", "address_kept",
    ]

    // MARK: Destinations

    /// The path or URL to which a logged-in user is redirected.
    var destination: String { checkedReturn(request.http.target["return"]) ?? "/account" }

    /// The page to return to, if it belongs to this service or an allowed origin.
    ///
    /// Browsers interpret `//host` and `/\host` as another host.
    func checkedReturn(_ place: String?) -> String? {
        guard let place, place.utf8.count <= HTTPTarget.maximumBytes,
            place.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            // In a query, a backslash is a character like any other.
            !place.prefix(while: { $0 != "?" && $0 != "#" }).contains("\\")
        else { return nil }
        if place.hasPrefix("/"), !place.hasPrefix("//") { return place }
        let origins = [request.site.configuration.origin] + request.site.configuration.returnOrigins
        return origins.contains { place.hasPrefix($0.text + "/") } ? place : nil
    }

    /// The name of the application or site to which a login returns; nil if it has none.
    ///
    /// - Parameter place: a ``checkedReturn(_:)``.
    func destinationName(of place: String?) async -> String? {
        if let name = await applicationWaiting(at: place) { return name }
        let configuration = request.site.configuration
        let origin = configuration.returnOrigins.first { place?.hasPrefix($0.text + "/") ?? false }
        return origin.flatMap { configuration.returnNames[$0.text] }
    }

    /// Redirects the browser with a GET.
    func redirection(to place: String) -> HTTPResponse {
        HTTPResponse(status: 303, headers: [("Location", place)] + pageHeaders)
    }

    /// Redirects the browser to the page of a flow, and from there back to `path`.
    func redirection(to flow: AccountType, note: String? = nil, returningTo path: String?) -> HTTPResponse {
        redirection(to: self.path(of: flow, note: note, returningTo: path))
    }

    /// The path of a flow's page, including the page to return to.
    ///
    /// - Parameters:
    ///   - note: the sentence that the page shows, one of those in ``note``; nil for none.
    ///   - path: the page to open afterwards; nil for the default.
    func path(of flow: AccountType, note: String? = nil, returningTo path: String?) -> String {
        let place = path.map { "return=" + PercentEncoding.encoded($0, allowing: "/:") }
        let query = [note.map { "note=" + $0 }, place].compactMap(\.self).joined(separator: "&")
        let address = flow.traits.page + (query.isEmpty ? "" : "?" + query)
        guard path != nil, address.utf8.count > HTTPTarget.maximumBytes else { return address }
        // A request for that address would be refused.
        return self.path(of: flow, note: note, returningTo: nil)
    }

    // MARK: Responses

    /// - Parameter submitsElsewhere: whether the page has a form for an application. Browsers apply `form-action` to the
    ///   redirects that follow a form, which only the application knows.
    func html(_ markup: String, status: Int = 200, submitsElsewhere: Bool = false) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: [("Content-Type", "text/html; charset=utf-8")] + headers(submitsElsewhere: submitsElsewhere),
            body: .bytes(Array(markup.utf8)))
    }

    private var pageHeaders: [(name: String, value: String)] { headers(submitsElsewhere: false) }

    private func headers(submitsElsewhere: Bool) -> [(name: String, value: String)] {
        let origins = request.site.configuration.returnOrigins.map { " " + $0.text }.joined()
        let policy =
            "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'"
            + (submitsElsewhere ? "" : "; form-action 'self'" + origins)
            + "; frame-ancestors 'none'; base-uri 'none'"
        var headers = [
            ("Cache-Control", "no-store"), ("Content-Security-Policy", policy), ("Referrer-Policy", "same-origin"),
            ("X-Content-Type-Options", "nosniff"), ("Vary", "Accept-Language, Cookie"),
        ]
        if request.site.configuration.origin.isSecure {
            headers.append(("Strict-Transport-Security", "max-age=31536000"))
        }
        return headers
    }
}

extension Form {
    /// A copy of the form without links to `type`.
    fileprivate func without(linksTo type: AccountType) -> Form {
        Form(id: id, title: title, submit: submit, links: links.filter { $0 != type }, fields: fields)
    }
}
