import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeyOpenID
import LatchkeySecrets
import LatchkeyWeb

/// The authorization endpoint (RFC 6749, section 3.1), and the pages on the way back to the application.
enum AuthorizePages {
    static let path = "/oauth/authorize"
    fileprivate static let continuePath = "/oauth/continue"

    static var routes: [Route] {
        [
            .page("GET", path, .open()) { page, _ in await page.authorize(page.request.http.target.query) },
            // A cross-site request carries no cookies, so a redirect repeats it without a form.
            .page("POST", path, .anySite(budget: .check)) { page, _ in await page.receiveAuthorization() },
            .page("GET", continuePath, .open()) { page, _ in await page.continueAuthorization() },
            .page("POST", ConsentPage.path, .form(.session)) { page, _ in await page.answerConsent() },
        ]
    }
}

/// An authorization request with its application, and the token under which it waits; nil if it does not wait.
private struct PendingAuthorization {
    let request: AuthorizationRequest
    let client: Client
    let arrivedAt: Timestamp
    var token: Secret?
}

extension PageRequest {
    // MARK: Requests

    /// Answers a request, or lets it wait for the person.
    fileprivate func authorize(_ pairs: [(name: String, value: String)]) async -> HTTPResponse {
        await answeringAuthorization { () async throws(Refusal) in
            let (authorization, client) = try await checked(pairs)
            return try await proceed(
                PendingAuthorization(request: authorization, client: client, arrivedAt: request.service.clock.now()))
        }
    }

    /// Stores a posted request, and redirects to it.
    fileprivate func receiveAuthorization() async -> HTTPResponse {
        await answeringAuthorization { () async throws(Refusal) in
            guard request.http.mediaType == "application/x-www-form-urlencoded",
                let pairs = Submission.secretPairs(request.http.body)
            else { throw Refusal(notice(400, "page.bad_request")) }
            let (authorization, client) = try await checked(
                pairs.map { ($0.name, $0.value.textIfValid ?? "\u{FFFD}") })
            let (_, response) = try await wait(
                PendingAuthorization(request: authorization, client: client, arrivedAt: request.service.clock.now())
            ) { token in AuthorizePages.continuePath + "?request=" + token }
            return response
        }
    }

    /// Continues a request that has waited.
    fileprivate func continueAuthorization() async -> HTTPResponse {
        await answeringAuthorization { () async throws(Refusal) in
            try await proceed(try await waiting(request.http.target["request"]))
        }
    }

    /// Receives the answer of the person to whom the consent page was shown.
    fileprivate func answerConsent() async -> HTTPResponse {
        await answeringAuthorization { () async throws(Refusal) in
            let body = request.http.body
            let pending = try await waiting(Submission.value(of: "request", in: body))
            guard Submission.value(of: "answer", in: body) == "allow" else {
                return try await finish(
                    pending,
                    AuthorizationResponse(
                        OAuthError(.accessDenied, "The account's owner has refused"), to: pending.request.target,
                        issuer: issuer))
            }
            return try await proceed(pending, withConsent: true)
        }
    }

    // MARK: Steps

    private func proceed(
        _ pending: PendingAuthorization, withConsent consent: Bool = false
    ) async throws(Refusal) -> HTTPResponse {
        let result: Authorization
        do throws(AccountError) {
            result = try await request.service.authorize(
                pending.codeRequest, session: request.cookieToken, withConsent: consent)
        } catch {
            throw Refusal(failure(error))
        }
        switch result {
        case .code(let code):
            return try await finish(
                pending, AuthorizationResponse(code: code.shownText, to: pending.request.target, issuer: issuer))
        case .loginNeeded:
            return try await ask(pending, else: .loginRequired) {
                await loginPath(for: pending.request, returningTo: $0)
            }
        case .passwordChangeNeeded:
            return try await ask(pending, else: .interactionRequired) {
                path(of: .changePassword, note: "change", returningTo: $0)
            }
        case .consentNeeded(let account):
            if let token = pending.token { return await consentPage(pending, token, for: account) }
            return try await ask(pending, else: .consentRequired) { $0 }
        case .refused(let refusal): return try await refuse(pending, refusal)
        }
    }

    /// Lets the request wait while the person visits a page, or reports that the application forbids pages.
    ///
    /// - Parameter place: the page, which returns to the path that it gets.
    private func ask(
        _ pending: PendingAuthorization, else code: OAuthError.Code, at place: (String) async -> String
    ) async throws(Refusal) -> HTTPResponse {
        guard !pending.request.prompt.contains(.none) else {
            return try await finish(
                pending,
                AuthorizationResponse(
                    OAuthError(code, "The request forbids the page that is needed"), to: pending.request.target,
                    issuer: issuer))
        }
        return try await wait(pending) { await place(AuthorizePages.continuePath + "?request=" + $0) }.response
    }

    /// Stores the request unless it is stored already, and redirects.
    private func wait(
        _ pending: PendingAuthorization, at place: (String) async -> String
    ) async throws(Refusal) -> (token: Secret, response: HTTPResponse) {
        if let token = pending.token { return (token, redirection(to: await place(token.shownText))) }
        do throws(AccountError) {
            let (token, browser) = try await request.service.storeAuthorization(
                pending.request.encoded, of: pending.client.id, from: requestCookie)
            var response = redirection(to: await place(token.shownText))
            response.headers.append(cookie(ofRequests: browser))
            return (token, response)
        } catch {
            throw Refusal(failure(error))
        }
    }

    /// Sends the response to the application. A request that has waited is used up.
    private func finish(
        _ pending: PendingAuthorization, _ response: AuthorizationResponse
    ) async throws(Refusal) -> HTTPResponse {
        if let token = pending.token {
            let taken = try? await request.service.waitingAuthorization(token, from: requestCookie, taking: true)
            guard taken != nil else { throw Refusal(expired) }
        }
        guard pending.token != nil, response.target.mode == .query else {
            return respond(response, to: pending.client)
        }
        var page = html(
            ContinuePage(
                to: pending.client.settings.name, at: response.location, on: webSite(isSignedIn: false)
            ).html)
        page.set("Referrer-Policy", "no-referrer")
        return page
    }

    /// Sends a response that no form of ours precedes, so that a redirect is safe.
    ///
    /// - Parameter client: the application, for its name; nil if the request was refused.
    private func respond(_ response: AuthorizationResponse, to client: Client?) -> HTTPResponse {
        guard response.target.mode == .formPost else {
            var redirection = redirection(to: response.location)
            redirection.set("Referrer-Policy", "no-referrer")
            return redirection
        }
        let name = client?.settings.name ?? request.messages.sentence("application.this_application")
        // Without `form-action`: a browser applies it to the redirects of the application too.
        return html(
            FormPostPage(
                to: name, at: response.target.redirectURI, posting: response.parameters,
                on: webSite(isSignedIn: false)
            ).html, submitsElsewhere: true)
    }

    private func refuse(_ pending: PendingAuthorization, _ refusal: AccessRefusal) async throws(Refusal) -> HTTPResponse
    {
        request.logRefusal(refusal.rawValue, of: pending.client.id)
        guard !pending.request.prompt.contains(.none) else {
            let code: OAuthError.Code = refusal == .levelTooLow ? .unmetAuthenticationRequirements : .accessDenied
            return try await finish(
                pending,
                AuthorizationResponse(
                    OAuthError(code, "The account may not use this application"), to: pending.request.target,
                    issuer: issuer))
        }
        let name = pending.client.settings.name
        let code =
            switch refusal {
            case .levelTooLow: "application.level"
            case .notInGroup: "application.not_member"
            case .clientDisabled, .accountUnusable, .grantNotAllowed, .sessionEnded: "application.refused"
            }
        let page = NoticePage(
            request.messages.sentence(code, ["application": .text(name)]),
            [request.messages.sentence(code + "_what", ["application": .text(name)])],
            links: [(request.messages.sentence("page.start"), "/account")], on: webSite(isSignedIn: true))
        return html(page.html, status: 403)
    }

    private func consentPage(
        _ pending: PendingAuthorization, _ token: Secret, for account: Account
    ) async -> HTTPResponse {
        let groups = (try? await request.service.groups(of: .id(account.id)).map(\.text)) ?? []
        let claims = AccountClaims(of: account, in: groups, for: pending.codeRequest.scopes, request.forms)
        let facts = claims.facts(request.messages)
        let host = RedirectHost(pending.request.target.redirectURI, request.messages).text
        let page = ConsentPage(
            ConsentPage.Application(name: pending.client.settings.name, host: host), of: account.name, learning: facts,
            request: token.shownText, on: webSite(isSignedIn: false))
        return html(page.html)
    }

    // MARK: Checks

    /// The request and its application. The application and its redirect URI come first, because nothing else decides
    /// whether a response may go there.
    private func checked(
        _ pairs: [(name: String, value: String)]
    ) async throws(Refusal) -> (AuthorizationRequest, Client) {
        do throws(AuthorizationError) {
            let unchecked = try UncheckedAuthorizationRequest(pairs)
            let client = try await knownClient(unchecked.clientID.text)
            return (try await checked(unchecked, of: client), client)
        } catch {
            switch error {
            case .page(.disabledClient):
                let client = (try? UncheckedAuthorizationRequest(pairs))?.clientID.text
                throw refusalOfDisabled(client)
            case .page(let reason):
                request.logRefusal(reason.rawValue, of: nil)
                throw Refusal(notice(400, "page.application_unknown"))
            case .redirect(let target, let error):
                request.logRefusal(error.code.rawValue, of: nil)
                throw Refusal(respond(AuthorizationResponse(error, to: target, issuer: issuer), to: nil))
            }
        }
    }

    private func checked(
        _ unchecked: UncheckedAuthorizationRequest, of client: Client
    ) async throws(AuthorizationError) -> AuthorizationRequest {
        var authorization = try unchecked.checked(
            redirectURIs: client.settings.checkedRedirectURIs, isPublic: client.settings.isPublic,
            requiresChallenge: client.requiresPKCE)
        guard let text = authorization.idTokenHint else { return authorization }
        guard let hint = await request.verifiedHint(text), hint.audience.text == client.id else {
            throw .redirect(authorization.target, OAuthError(.invalidRequest, "The id_token_hint is not valid"))
        }
        authorization.expectedSubject = hint.subject
        return authorization
    }

    private func knownClient(_ id: String) async throws(AuthorizationError) -> Client {
        guard request.service.settings.openID.isEnabled, let found = try? await request.service.client(id) else {
            throw .page(.unknownClient)
        }
        guard !found.isDisabled else { throw .page(.disabledClient) }
        return found
    }

    private func refusalOfDisabled(_ client: String?) -> Refusal {
        request.logRefusal(AuthorizationError.PageReason.disabledClient.rawValue, of: client)
        return Refusal(notice(403, "page.application_disabled"))
    }

    /// The request that waits under this token in this browser.
    private func waiting(_ text: String?) async throws(Refusal) -> PendingAuthorization {
        let token = text.map { Secret(copying: $0.utf8Span.span) }
        let found: WaitingAuthorization?
        do throws(AccountError) {
            guard let token else { throw .noSession }
            found = try await request.service.waitingAuthorization(token, from: requestCookie, taking: false)
        } catch .noSession {
            found = nil
        } catch {
            throw Refusal(failure(error))
        }
        var known: Client?
        if let id = found?.client {
            do throws(AuthorizationError) { known = try await knownClient(id) } catch {
                if error == .page(.disabledClient) { throw refusalOfDisabled(id) }
            }
        }
        guard let found, let authorization = AuthorizationRequest(encoded: found.parameters), let client = known,
            client.settings.checkedRedirectURIs.contains(where: {
                $0.matches(authorization.target.redirectURI, isPublic: client.settings.isPublic)
            })
        else { throw Refusal(expired) }
        return PendingAuthorization(
            request: authorization, client: client, arrivedAt: found.createdAt, token: token)
    }

    private var expired: HTTPResponse { notice(400, "page.application_expired") }

    private func answeringAuthorization(
        _ body: () async throws(Refusal) -> HTTPResponse
    ) async -> HTTPResponse {
        do throws(Refusal) { return try await body() } catch { return error.response }
    }

    // MARK: Places

    private var issuer: String { request.issuer }

    /// The page on which the person logs in: the login, or the password check for a session that is too old.
    private func loginPath(for authorization: AuthorizationRequest, returningTo path: String) async -> String {
        let mustChoose = authorization.prompt.contains(.selectAccount) || authorization.expectedSubject != nil
        if !mustChoose, let token = request.cookieToken, (try? await request.service.session(for: token)) != nil {
            return self.path(of: .reauthenticate, returningTo: path)
        }
        let login = self.path(of: .login, returningTo: path)
        return mustChoose ? login + "&account=other" : login
    }

    private var requestCookieName: String { request.cookieName + "-request" }

    /// The token of the browser for the requests that wait in it.
    private var requestCookie: Secret? {
        let values = request.http.headers.cookies(requestCookieName)
        return values.count == 1 ? values[0] : nil
    }

    private func cookie(ofRequests browser: Secret) -> (name: String, value: String) {
        let lifetime = "; Max-Age=\(WaitingAuthorization.lifetime.components.seconds)"
        return ("Set-Cookie", requestCookieName + "=" + browser.shownText + lifetime + cookieAttributes)
    }
}

extension PendingAuthorization {
    /// The request for a code: the scopes that the application may have, and the earliest time of the login.
    fileprivate var codeRequest: CodeRequest {
        var since: Timestamp?
        if !request.prompt.isDisjoint(with: [.login, .selectAccount]) { since = arrivedAt }
        if let age = request.maximumAge {
            let earliest = arrivedAt.advanced(by: .seconds(-Int64(min(age, 10 * 365 * 86400))))
            since = max(since ?? earliest, earliest)
        }
        return CodeRequest(
            client: client.id,
            scopes: request.scopes.all.map(\.name).filter(client.settings.scopes.contains),
            redirectURI: request.target.redirectURI, challenge: request.challenge?.text, nonce: request.nonce,
            authenticatedSince: since, account: request.expectedSubject.flatMap(AccountID.init),
            asksForConsent: request.prompt.contains(.consent))
    }
}

/// The host of a redirect URI, for people.
private struct RedirectHost {
    let text: String

    init(_ uri: String, _ messages: MessageTable) {
        let rest = uri.split(separator: "://", maxSplits: 1).dropFirst().first ?? ""
        let host = rest.prefix { $0 != "/" && $0 != "?" }
        let name = host.hasPrefix("[") ? "[::1]" : String(host.prefix { $0 != ":" })
        let isLocal = !uri.hasPrefix("http") || ["localhost", "127.0.0.1", "[::1]"].contains(name)
        text = isLocal ? messages.sentence("application.this_device") : String(host)
    }
}
