import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeyOpenID
import LatchkeySecrets
import LatchkeyWeb

/// Logouts that an application asks for (OpenID Connect RP-Initiated Logout 1.0).
enum EndSessionPages {
    private static let path = "/oauth/logout"
    fileprivate static let continuePath = path + "/continue"
    fileprivate static let confirmation = path + "/confirm"

    static var routes: [Route] {
        [
            .page("GET", path, .open()) { page, _ in await page.beginLogout() },
            // A cross-site request carries no cookies, so a redirect repeats it without a form. The token of the request
            // is not in its address.
            .page("POST", path, .anySite(budget: .check)) { page, _ in await page.receiveLogout() },
            .page("GET", continuePath, .open()) { page, _ in await page.continueLogout() },
            .page("POST", confirmation, .form()) { page, _ in await page.confirmLogout() },
        ]
    }
}

/// A logout that an application asks for. Without a valid ID token, nothing about it is known.
private struct PendingLogout {
    /// The application of the valid ID token.
    var client: Client?
    var verified: VerifiedLogout?
    /// The token under which the logout waits; nil if it does not wait.
    var token: Secret?
    /// The preferred languages of pages.
    var locales: [String] = []
}

extension PageRequest {
    fileprivate func beginLogout() async -> HTTPResponse {
        await answeringAuthorization { () async throws(Refusal) in
            try request.refuseLongTarget()
            let target = request.http.target
            let logout = try await logout(target.query, undecodable: target.undecodable)
            return try await speaking(logout.locales).endSession(logout, isConfirmed: false)
        }
    }

    /// Stores a posted logout without its token, and redirects to it.
    fileprivate func receiveLogout() async -> HTTPResponse {
        await answeringAuthorization { () async throws(Refusal) in
            let (pairs, undecodable) = try formPairs()
            let logout = try await logout(pairs, undecodable: undecodable)
            guard let (token, headers) = try await stored(logout) else {
                return redirection(to: EndSessionPages.continuePath)
            }
            var response = redirection(
                to: EndSessionPages.continuePath + "?" + Self.requestParameter + "=" + token.shownText)
            response.headers += headers
            return response
        }
    }

    fileprivate func continueLogout() async -> HTTPResponse {
        await answeringAuthorization { () async throws(Refusal) in
            let logout = try await waitingLogout(request.http.target[Self.requestParameter])
            return try await endSession(logout, isConfirmed: false)
        }
    }

    fileprivate func confirmLogout() async -> HTTPResponse {
        await answeringAuthorization { () async throws(Refusal) in
            let token = Submission.value(of: Self.requestParameter, in: request.http.body)
            return try await endSession(try await waitingLogout(token), isConfirmed: true)
        }
    }

    // MARK: Requests

    /// Reads a request. Only a token that the provider has signed decides about anything.
    private func logout(
        _ pairs: [(name: String, value: String)], undecodable: Set<String>
    ) async throws(Refusal) -> PendingLogout {
        let asked: EndSessionRequest
        do throws(OAuthError) { asked = try EndSessionRequest(pairs, undecodable: undecodable) } catch {
            let claimed = try await knownClient(UncheckedAuthorizationRequest.claimedClient(pairs))
            request.logRefusal(error, of: claimed?.id)
            throw Refusal(notice(400, "page.bad_request"))
        }
        var logout = PendingLogout(locales: asked.locales)
        guard let text = asked.idTokenHint else { return logout }
        switch try await verifiedHint(text) {
        case .success(let hint) where asked.clientID == nil || asked.clientID == hint.audience:
            guard let client = try await knownClient(hint.audience) else { return logout }
            logout.client = client
            logout.verified = VerifiedLogout(
                subject: hint.subject, sessionID: hint.sessionID,
                place: asked.location(registered: client.settings.checkedLogoutURIs))
            if asked.redirectURI != nil, logout.verified?.place == nil {
                request.logRefusal("unknown_logout_redirect_uri", of: client.id)
            }
        case .success: request.logRefusal("hint_wrong_audience", of: try await knownClient(asked.clientID)?.id)
        case .failure(let failure):
            request.logRefusal("hint_" + failure.rawValue, of: try await knownClient(asked.clientID)?.id)
        }
        return logout
    }

    /// Stores a logout with a valid token, unless it is stored already; nil for any other.
    private func stored(
        _ logout: PendingLogout
    ) async throws(Refusal) -> (token: Secret, headers: [(name: String, value: String)])? {
        guard let client = logout.client, let verified = logout.verified else { return nil }
        if let token = logout.token { return (token, []) }
        return try await store(verified.encoded, of: client, speaking: logout.locales)
    }

    /// The logout that waits under this token in this browser. If there is none, it is like one without an ID token.
    private func waitingLogout(_ text: String?) async throws(Refusal) -> PendingLogout {
        let token = text.map { Secret(copying: $0.utf8Span.span) }
        do throws(AccountError) {
            guard let waiting = try await stored(token), let verified = VerifiedLogout(encoded: waiting.parameters),
                let client = try await request.service.client(waiting.client)
            else { return PendingLogout() }
            return PendingLogout(client: client, verified: verified, token: token)
        } catch {
            throw Refusal(failure(error))
        }
    }

    // MARK: Steps

    /// Logs out, or asks first. Only a token that the provider has signed for this session shows that the person wanted to
    /// log out.
    private func endSession(_ logout: PendingLogout, isConfirmed: Bool) async throws(Refusal) -> HTTPResponse {
        let live = try await liveSession()
        if let live, !isConfirmed {
            let isOwn =
                logout.verified?.sessionID.map {
                    request.service.belongs(session: live.session, toLogin: $0)
                } ?? false
            guard isOwn else { return try await askBeforeLogout(logout, of: live.account) }
        }
        do throws(AccountError) {
            // It works once.
            if let token = logout.token { _ = try await stored(token, taking: true) }
            if let client = logout.client, let account = logout.verified.flatMap({ AccountID($0.subject) }) {
                try await request.service.endGrants(
                    of: account, to: client.id, login: logout.verified?.sessionID)
            }
            if live != nil, let token = request.cookieToken, try await request.service.endSession(token: token) {
                request.site.events.emit(.session(.ended(account: nil)))
            }
        } catch {
            throw Refusal(failure(error))
        }
        var response = afterLogout(logout, isConfirmed: isConfirmed)
        if live != nil { response.headers += cookieDeletions }
        return response
    }

    /// The session of the browser; nil if there is none.
    private func liveSession() async throws(Refusal) -> LiveSession? {
        guard let token = request.cookieToken else { return nil }
        do throws(AccountError) { return try await request.service.session(for: token) } catch .noSession {
            return nil
        } catch {
            throw Refusal(failure(error))
        }
    }

    /// The way back to the application, or a page.
    private func afterLogout(_ logout: PendingLogout, isConfirmed: Bool) -> HTTPResponse {
        guard let place = logout.verified?.place, let client = logout.client else {
            let site = logout.client?.settings.checkedRedirectURIs.lazy.compactMap(\.origin).first
            let name: [String: RuleFailure.Value] = ["application": .text(logout.client?.settings.name ?? "")]
            let page = NoticePage(
                request.messages.sentence("page.logged_out"), sign: .check,
                action: (request.messages.sentence("page.log_in_again"), "/login"),
                links: site.map { [(request.messages.sentence("web.back_to", name), $0 + "/")] } ?? [],
                on: webSite(isSignedIn: false))
            return html(page.html)
        }
        // A redirect after a form of ours would be refused by the policy of the page.
        var response =
            isConfirmed
            ? html(ContinuePage(to: client.settings.name, at: place, on: webSite(isSignedIn: false)).html)
            : redirection(to: place)
        response.set("Referrer-Policy", "no-referrer")
        return response
    }

    private func askBeforeLogout(_ logout: PendingLogout, of account: Account) async throws(Refusal) -> HTTPResponse {
        let stored = try await stored(logout)
        let page = QuestionPage(
            request.messages.sentence("page.log_out"),
            request.messages.sentence("page.log_out_what", ["account": .text(account.name)]),
            answer: request.messages.sentence("page.log_out_answer"),
            posting: (
                EndSessionPages.confirmation, stored == nil ? "answer" : Self.requestParameter,
                stored?.token.shownText ?? "yes"
            ), isDangerous: false,
            on: webSite(isSignedIn: false))
        var response = html(page.html)
        response.headers += stored?.headers ?? []
        return response
    }
}
