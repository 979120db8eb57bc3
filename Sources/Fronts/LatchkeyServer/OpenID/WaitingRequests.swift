import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeyOpenID
import LatchkeySecrets

/// Requests of applications that are stored until the person has answered. They belong to one browser.
extension PageRequest {
    /// The name of the parameter with the token of a request.
    static let requestParameter = "request"

    /// Stores a request.
    ///
    /// - Parameter locales: the languages that the application prefers.
    /// - Returns: the token that finds the request, and the headers that bind it to this browser.
    func store(
        _ parameters: String, of client: Client, speaking locales: [String]
    ) async throws(Refusal) -> (token: Secret, headers: [(name: String, value: String)]) {
        if let wait = await request.wait(spending: .authorization) {
            throw Refusal(request.tooManyRequests(of: client, after: wait))
        }
        do throws(AccountError) {
            let (token, browser) = try await request.service.storeAuthorization(
                parameters, of: client.id, from: requestCookie)
            return (token, [cookie(request.requestCookieName, browser.shownText)] + languageCookies(locales))
        } catch .throttled(let wait) {
            throw Refusal(request.tooManyRequests(of: client, after: wait))
        } catch {
            throw Refusal(failure(error))
        }
    }

    /// The request that waits under this token in this browser; nil if there is none.
    ///
    /// - Parameter taking: whether to delete it, so that it is used once.
    func stored(_ token: Secret?, taking: Bool = false) async throws(AccountError) -> WaitingAuthorization? {
        guard let token else { return nil }
        return try await request.service.waitingAuthorization(token, from: requestCookie, taking: taking)
    }

    /// The name of the application whose request waits for this login; nil if none does.
    ///
    /// - Parameter place: the page to which the login returns.
    func applicationWaiting(at place: String?) async -> String? {
        guard let waiting = await waitingAuthorization(returningTo: place),
            let client = try? await request.service.client(waiting.client)
        else { return nil }
        return client.settings.name
    }

    private func waitingAuthorization(returningTo place: String?) async -> WaitingAuthorization? {
        guard let target = place.flatMap(HTTPTarget.init), target.path == ["oauth", "continue"],
            let token = target[Self.requestParameter]
        else { return nil }
        return try? await stored(Secret(copying: token.utf8Span.span))
    }

    /// The account page that names the application, if its request waits in another browser and this one is logged in:
    /// the link of a message was opened here. Nil otherwise.
    var accountInAnotherBrowser: String? {
        get async {
            guard let text = request.http.target[Self.requestParameter], await applicationElsewhere(text) != nil,
                let token = request.cookieToken, (try? await request.service.session(for: token)) != nil
            else { return nil }
            return "/account?" + Self.requestParameter + "=" + PercentEncoding.encoded(text)
        }
    }

    /// The name of the application whose request waits in another browser; nil if none does.
    func applicationElsewhere(_ text: String) async -> String? {
        let token = Secret(copying: text.utf8Span.span)
        guard (try? await stored(token)) ?? nil == nil,
            let id = (try? await request.service.applicationWaiting(token)) ?? nil
        else { return nil }
        return (try? await request.service.client(id))??.settings.name
    }

    /// The name or address that the login page suggests, if the application whose request waits for this login has sent
    /// one; nil otherwise.
    ///
    /// - Parameter place: the page to which the login returns.
    func loginHint(returningTo place: String?) async -> String? {
        guard let waiting = await waitingAuthorization(returningTo: place),
            let hint = AuthorizationRequest(encoded: waiting.parameters)?.loginHint,
            isSuggestion(hint)
        else { return nil }
        return hint
    }

    /// Whether the login page may suggest this name or address, which anyone can have written.
    func isSuggestion(_ name: String) -> Bool {
        1...Self.longestName ~= name.utf8.count && name.unicodeScalars.allSatisfy { Self.isShown($0) }
    }

    /// Whether a character can be part of a name or an address.
    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
        default: true
        }
    }

    /// The same request in the first supported language of these.
    func speaking(_ locales: [String]) -> PageRequest {
        request.site.texts(preferred: locales).map { PageRequest(request.speaking($0)) } ?? self
    }

    /// The token of the browser for the requests that wait in it.
    private var requestCookie: Secret? {
        let values = request.http.headers.cookies(request.requestCookieName)
        return values.count == 1 ? values[0] : nil
    }

    /// The cookie with the language of the pages until the application gets its response. The language of an earlier
    /// application is deleted.
    private func languageCookies(_ locales: [String]) -> [(name: String, value: String)] {
        if let texts = request.site.texts(preferred: locales) {
            return [cookie(request.languageCookieName, texts.messages.language.rawValue)]
        }
        guard !request.http.headers.cookies(request.languageCookieName).isEmpty else { return [] }
        return [("Set-Cookie", request.languageCookieName + "=; Max-Age=0" + cookieAttributes)]
    }

    private func cookie(_ name: String, _ value: String) -> (name: String, value: String) {
        let lifetime = "; Max-Age=\(WaitingAuthorization.lifetime.components.seconds)"
        return ("Set-Cookie", name + "=" + value + lifetime + cookieAttributes)
    }
}

extension WebRequest {
    /// The page for a person whose network has too many requests that wait.
    fileprivate func tooManyRequests(of client: Client, after wait: Duration) -> HTTPResponse {
        logRefusal("busy", of: client.id)
        return PageRequest(self).notice(429, "page.busy").adding("Retry-After", String(wait.wholeSecondsRoundedUp))
    }
}
