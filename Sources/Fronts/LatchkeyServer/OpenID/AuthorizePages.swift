import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeyOpenID
import LatchkeySecrets
import LatchkeyWeb

/// The authorization endpoint (RFC 6749, section 3.1), and the pages on the way back to the application.
/// `AuthorizationChecks.swift` has the checks of a request.
enum AuthorizePages {
    private static let path = "/oauth/authorize"
    fileprivate static let continuePath = "/oauth/continue"

    static var routes: [Route] {
        [
            .page("GET", path, .open()) { page, _ in await page.authorize() },
            // A cross-site request carries no cookies, so a redirect repeats it without a form.
            .page("POST", path, .anySite(budget: .check)) { page, _ in await page.receiveAuthorization() },
            .page("GET", continuePath, .open()) { page, _ in await page.continueAuthorization() },
            .page("POST", ConsentPage.path, .form(.session)) { page, _ in await page.answerConsent() },
        ]
    }
}

/// An authorization request with its application, and the token under which it waits; nil if it does not wait.
struct PendingAuthorization {
    let request: AuthorizationRequest
    let client: Client
    let arrivedAt: Timestamp
    var token: Secret?
}

extension PageRequest {
    // MARK: Requests

    /// Answers a request, or lets it wait for the person.
    fileprivate func authorize() async -> HTTPResponse {
        await answeringAuthorization { () async throws(Refusal) in
            try request.refuseLongTarget()
            let target = request.http.target
            let pending = try await checked(target.query, undecodable: target.undecodable)
            return try await speaking(pending.request.locales).proceed(pending)
        }
    }

    /// Stores a posted request, and redirects to it.
    fileprivate func receiveAuthorization() async -> HTTPResponse {
        await answeringAuthorization { () async throws(Refusal) in
            let (pairs, undecodable) = try formPairs()
            let pending = try await checked(pairs, undecodable: undecodable)
            return try await wait(pending) { place(ofWaiting: $0) }
        }
    }

    /// Continues a request that has waited.
    fileprivate func continueAuthorization() async -> HTTPResponse {
        await answeringAuthorization { () async throws(Refusal) in
            let pending: PendingAuthorization
            do throws(Refusal) { pending = try await waiting(request.http.target[Self.requestParameter]) } catch {
                guard let place = await accountInAnotherBrowser else { throw error }
                return redirection(to: place)
            }
            return try await speaking(pending.request.locales).proceed(pending)
        }
    }

    /// Receives the answer of the person to whom the consent page was shown.
    fileprivate func answerConsent() async -> HTTPResponse {
        await answeringAuthorization { () async throws(Refusal) in
            let body = request.http.body
            let pending = try await waiting(Submission.value(of: Self.requestParameter, in: body))
            let page = speaking(pending.request.locales)
            guard Submission.value(of: "answer", in: body) == "allow" else {
                return try await page.finish(pending, OAuthError(.accessDenied, "The user has refused"))
            }
            return try await page.proceed(pending, withConsent: true)
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
                pending,
                AuthorizationResponse(code: code.shownText, to: pending.request.target, issuer: request.issuer))
        case .loginNeeded:
            return try await ask(pending, else: .loginRequired) {
                await loginPath(for: pending.request, returningTo: $0)
            }
        case .passwordChangeNeeded:
            return try await ask(pending, else: .interactionRequired) {
                path(of: .changePassword, note: "change", returningTo: $0)
            }
        case .consentNeeded(let account):
            if let token = pending.token { return try await consentPage(pending, token, for: account) }
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
                pending, OAuthError(code, "The user has to answer a page, which prompt=none forbids"))
        }
        return try await wait(pending) { await place(self.place(ofWaiting: $0)) }
    }

    /// Stores the request unless it is stored already, and redirects.
    private func wait(
        _ pending: PendingAuthorization, at place: (Secret) async -> String
    ) async throws(Refusal) -> HTTPResponse {
        if let token = pending.token { return redirection(to: await place(token)) }
        let (token, headers) = try await store(
            pending.request.encoded, of: pending.client, speaking: pending.request.locales)
        var response = redirection(to: await place(token))
        response.headers += headers
        return response
    }

    private func place(ofWaiting token: Secret) -> String {
        AuthorizePages.continuePath + "?" + Self.requestParameter + "=" + token.shownText
    }

    /// Sends an error to the application. A request that has waited is used up.
    private func finish(_ pending: PendingAuthorization, _ error: OAuthError) async throws(Refusal) -> HTTPResponse {
        request.logRefusal(error, of: pending.client.id)
        return try await finish(
            pending, AuthorizationResponse(error, to: pending.request.target, issuer: request.issuer))
    }

    /// Sends the response to the application. A request that has waited is used up.
    private func finish(
        _ pending: PendingAuthorization, _ response: AuthorizationResponse
    ) async throws(Refusal) -> HTTPResponse {
        if let token = pending.token {
            do throws(AccountError) {
                guard try await stored(token, taking: true) != nil else { throw .noSession }
            } catch .noSession {
                throw Refusal(expired(of: pending.client))
            } catch {
                throw Refusal(failure(error))
            }
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
    func respond(_ response: AuthorizationResponse, to client: Client?) -> HTTPResponse {
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
            let error = OAuthError(code, "The account may not use this application")
            return try await finish(
                pending, AuthorizationResponse(error, to: pending.request.target, issuer: request.issuer))
        }
        // Another account may be a member, so the request waits for it.
        var headers: [(name: String, value: String)] = []
        var token = pending.token
        if refusal == .notInGroup, token == nil {
            (token, headers) = try await store(
                pending.request.encoded, of: pending.client, speaking: pending.request.locales)
        }
        var response = await refusalPage(
            refusal, of: pending.client, switchingAt: token.map { switchPath(returningTo: place(ofWaiting: $0)) })
        response.headers += headers
        return response
    }

    private func consentPage(
        _ pending: PendingAuthorization, _ token: Secret, for account: Account
    ) async throws(Refusal) -> HTTPResponse {
        let groups = try await groups(of: account)
        let claims = AccountClaims(of: account, in: groups, for: pending.codeRequest.scopes, request.forms)
        let facts = claims.facts(request.messages, for: pending.client.settings)
        let host = RedirectHost(pending.request.target.redirectURI).text
        let page = ConsentPage(
            ConsentPage.Application(name: pending.client.settings.name, host: host), of: account.name,
            at: account.username == nil ? nil : account.email.typed,
            switchingAt: switchPath(returningTo: place(ofWaiting: token)), learning: facts, request: token.shownText,
            on: webSite(isSignedIn: false))
        return html(page.html)
    }

    func answeringAuthorization(
        _ body: () async throws(Refusal) -> HTTPResponse
    ) async -> HTTPResponse {
        do throws(Refusal) { return try await body() } catch { return error.response }
    }

    // MARK: Places

    /// The page on which the person logs in: the login, or the password check for a session that is too old.
    private func loginPath(for authorization: AuthorizationRequest, returningTo path: String) async -> String {
        let mustChoose = authorization.prompt.contains(.selectAccount) || authorization.expectedSubject != nil
        if !mustChoose, let token = request.cookieToken, (try? await request.service.session(for: token)) != nil {
            return self.path(of: .reauthenticate, returningTo: path)
        }
        return mustChoose ? switchPath(returningTo: path) : self.path(of: .login, returningTo: path)
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
    /// Nil for a program on the person's device.
    let text: String?

    init(_ uri: String) {
        let rest = uri.split(separator: "://", maxSplits: 1).dropFirst().first ?? ""
        let host = rest.prefix { $0 != "/" && $0 != "?" }
        let name = host.hasPrefix("[") ? "[::1]" : String(host.prefix { $0 != ":" })
        let isLocal = !uri.hasPrefix("http") || ["localhost", "127.0.0.1", "[::1]"].contains(name)
        text = isLocal ? nil : String(host)
    }
}
