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
    fileprivate static let confirmation = "/oauth/logout/confirm"

    static var routes: [Route] {
        [
            .page("GET", path, .open()) { page, _ in await page.endSession(isConfirmed: false) },
            // A cross-site request carries no cookies, so a redirect repeats it without a form.
            .page("POST", path, .anySite(budget: .check)) { page, _ in page.repeatEndSession(at: path) },
            .page("POST", confirmation, .form()) { page, _ in await page.endSession(isConfirmed: true) },
        ]
    }
}

extension PageRequest {
    /// Logs out, or asks first. Only a token that the provider has signed for this session shows that the person wanted to
    /// log out, and only a valid token decides about the place to go to afterwards.
    fileprivate func endSession(isConfirmed: Bool) async -> HTTPResponse {
        let logout: EndSessionRequest
        do throws(OAuthError) { logout = try EndSessionRequest(request.http.target.query) } catch {
            request.logRefusal(error.code.rawValue, of: nil)
            return notice(400, "page.bad_request")
        }
        let hint = await hint(of: logout)
        var client: Client?
        if let hint { client = (try? await request.service.client(hint.audience.text)) ?? nil }
        let place = client.flatMap { logout.location(registered: $0.settings.checkedLogoutURIs) }
        var live: LiveSession?
        if let token = request.cookieToken { live = try? await request.service.session(for: token) }
        if let live, !isConfirmed {
            let isOwn = hint?.sessionID.map { request.service.belongs(session: live.session, toLogin: $0) } ?? false
            guard isOwn else { return askBeforeLogout(live.account) }
        }
        if let client, let hint, let account = AccountID(hint.subject) {
            try? await request.service.endGrants(of: account, to: client.id)
        }
        return await finishLogout(live == nil ? nil : request.cookieToken, client, place, isConfirmed: isConfirmed)
    }

    private func finishLogout(
        _ token: Secret?, _ client: Client?, _ place: String?, isConfirmed: Bool
    ) async -> HTTPResponse {
        if let token {
            do throws(AccountError) {
                if try await request.service.endSession(token: token) {
                    request.site.events.emit(.session(.ended(account: nil)))
                }
            } catch {
                return failure(error)
            }
        }
        var response: HTTPResponse
        if let place, let client {
            // A redirect after a form of ours would be refused by the policy of the page.
            response =
                isConfirmed
                ? html(ContinuePage(to: client.settings.name, at: place, on: webSite(isSignedIn: false)).html)
                : redirection(to: place)
            response.set("Referrer-Policy", "no-referrer")
        } else {
            let page = NoticePage(
                request.messages.sentence("page.logged_out"),
                links: [(request.messages.sentence("page.log_in_again"), "/login")], on: webSite(isSignedIn: false))
            response = html(page.html)
        }
        if token != nil { response.headers += cookieDeletions }
        return response
    }

    private func askBeforeLogout(_ account: Account) -> HTTPResponse {
        let query = request.http.target.query.map {
            PercentEncoding.encoded($0.name) + "=" + PercentEncoding.encoded($0.value)
        }.joined(separator: "&")
        let page = QuestionPage(
            request.messages.sentence("page.log_out"),
            request.messages.sentence("page.log_out_what", ["account": .text(account.name)]),
            answer: request.messages.sentence("page.log_out_answer"),
            posting: (EndSessionPages.confirmation + (query.isEmpty ? "" : "?" + query), "answer", "yes"),
            on: webSite(isSignedIn: false))
        return html(page.html)
    }

    fileprivate func repeatEndSession(at path: String) -> HTTPResponse {
        guard request.http.mediaType == "application/x-www-form-urlencoded",
            let pairs = Submission.secretPairs(request.http.body)
        else { return notice(400, "page.bad_request") }
        let query = pairs.map {
            PercentEncoding.encoded($0.name) + "=" + PercentEncoding.encoded($0.value.textIfValid ?? "")
        }.joined(separator: "&")
        guard path.utf8.count + query.utf8.count < HTTPTarget.maximumBytes else {
            return notice(400, "page.bad_request")
        }
        return redirection(to: query.isEmpty ? path : path + "?" + query)
    }

    /// The valid token of the request, which names the same client as the request; nil if there is none.
    private func hint(of logout: EndSessionRequest) async -> IDTokenHint? {
        guard let text = logout.idTokenHint, let hint = await request.verifiedHint(text) else { return nil }
        guard logout.clientID == nil || logout.clientID == hint.audience else { return nil }
        return hint
    }
}

extension WebRequest {
    /// A token that the provider has signed; nil for any other. It may have expired.
    func verifiedHint(_ text: String) async -> IDTokenHint? {
        guard let keys = try? await site.providerKeys.all(of: service) else { return nil }
        let usable = keys.map {
            VerificationKey(
                kid: $0.record.id, publicKey: $0.publicKey,
                retiredAt: $0.record.retiredAt.map { Int($0.milliseconds / 1000) })
        }
        do throws(JWSFailure) {
            return try IDTokenHint(
                text, keys: usable, issuer: issuer, now: Int(service.clock.now().milliseconds / 1000))
        } catch {
            logRefusal("hint_" + error.rawValue, of: nil)
            return nil
        }
    }
}
