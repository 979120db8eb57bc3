import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets

/// The cookies that a page stores in the browser.
extension PageRequest {
    /// The header that stores a session token in the browser. The cookie lasts as long as the session. If the policy
    /// does not allow sessions on disk, it lasts until the browser is closed.
    private func cookie(storing token: Secret) -> String {
        let settings = request.site.service.settings
        let lifetime =
            settings.preset.keepsSessionsOnDisk ? "; Max-Age=\(settings.sessions.absolute.components.seconds)" : ""
        return request.cookieName + "=" + token.shownText + lifetime + cookieAttributes
    }

    /// The header that deletes the cookie.
    private var cookieDeletion: String { request.cookieName + "=; Max-Age=0" + cookieAttributes }

    /// The headers that store a session in the browser.
    ///
    /// - Parameter device: the browser's device token, which remains when the session ends.
    func cookies(storing token: Secret, device: Secret?) -> [(name: String, value: String)] {
        var headers = [("Set-Cookie", cookie(storing: token))]
        if let device {
            let lifetime = "; Max-Age=\(KnownDevice.lifetime.components.seconds)"
            headers.append(
                ("Set-Cookie", request.deviceCookieName + "=" + device.shownText + lifetime + cookieAttributes))
        }
        return headers + ticketCookies(for: token)
    }

    /// The header that stores the ticket of a session for the other hosts of the domain; none without a domain.
    func ticketCookies(for token: Secret) -> [(name: String, value: String)] {
        guard let domain = request.site.configuration.cookieDomain, let ticket = request.service.ticket(for: token)
        else { return [] }
        return [("Set-Cookie", Self.ticketCookieName + "=" + ticket.shownText + ticketAttributes(domain))]
    }

    /// The token of a login that waits for its second factor; nil if there is none.
    var pendingToken: Secret? { request.cookies.pending }

    /// The header that stores this token until it expires, or deletes the cookie.
    func pendingCookie(storing token: Secret?) -> (name: String, value: String) {
        let value =
            token.map { $0.shownText + "; Max-Age=\(FactorChallenge.lifetime.components.seconds)" } ?? "; Max-Age=0"
        return ("Set-Cookie", request.pendingCookieName + "=" + value + cookieAttributes)
    }

    /// The name that the login page suggests, from the page on which its owner has set a password; nil for none.
    var rememberedName: String? {
        let values = request.http.headers.cookies(request.nameCookieName)
        guard values.count == 1, let name = values[0].textIfValid.flatMap({ PercentEncoding.decoded($0.utf8) }),
            isSuggestion(name)
        else { return nil }
        return name
    }

    /// The header that stores this name for the next login page, or deletes the cookie. No address of a page has a name,
    /// because addresses are logged and stay in the history of the browser.
    func nameCookie(storing name: String?) -> (name: String, value: String) {
        let value =
            name.map { PercentEncoding.encoded($0) + "; Max-Age=\(FactorChallenge.lifetime.components.seconds)" }
            ?? "; Max-Age=0"
        return ("Set-Cookie", request.nameCookieName + "=" + value + cookieAttributes)
    }

    /// The headers that delete the session cookies set by ``cookies(storing:device:)``.
    var cookieDeletions: [(name: String, value: String)] {
        var headers = [("Set-Cookie", cookieDeletion)]
        if let domain = request.site.configuration.cookieDomain {
            headers.append(("Set-Cookie", Self.ticketCookieName + "=; Max-Age=0" + ticketAttributes(domain)))
        }
        return headers
    }

    /// The cookie for other hosts of the domain. It contains a ticket, which only `/verify` accepts. A malicious host
    /// can only learn who is logged in.
    static let ticketCookieName = "__Secure-latchkey-verify"

    private func ticketAttributes(_ domain: String) -> String {
        "; Domain=" + domain + "; Path=/; HttpOnly; SameSite=Lax; Secure"
    }

    var cookieAttributes: String {
        "; Path=/; HttpOnly; SameSite=Lax" + (request.site.configuration.origin.isSecure ? "; Secure" : "")
    }
}
