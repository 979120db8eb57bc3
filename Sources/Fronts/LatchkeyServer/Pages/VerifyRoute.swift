import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeySecrets
import LatchkeyWeb

/// `/verify`: the signed-in account, for a proxy in front of another program (`auth_request` of nginx, `forward_auth`
/// of Caddy).
enum VerifyRoute {
    /// The handler verifies the session, because it also takes the ticket of a whole domain.
    static var route: Route {
        .page("GET", "/verify", .open(host: .any, .session)) { page, _ in await page.verify() }
    }
}

extension PageRequest {
    fileprivate func verify() async -> HTTPResponse {
        do throws(AccountError) {
            let live = try await verifiedSession()
            // A session of any other scope may only change the password.
            guard live.session.scope == .full else { throw .mustChangePassword }
            return HTTPResponse(status: 204, headers: live.account.remoteHeaders + [("Cache-Control", "no-store")])
        } catch .noSession {
            return refused()
        } catch .mustChangePassword {
            return refused()
        } catch {
            return HTTPResponse(status: NetworkResponse(error).publicStatus, headers: [("Cache-Control", "no-store")])
        }
    }

    /// The session of the token, of the cookie, or of the cookie for the whole domain.
    private func verifiedSession() async throws(AccountError) -> LiveSession {
        if request.http.headers.hasAuthorization {
            guard let token = request.http.headers.bearerToken else { throw .noSession }
            return try await request.service.session(for: token)
        }
        if let token = request.cookieToken { return try await request.service.session(for: token) }
        guard let ticket = request.http.headers.cookie(Self.ticketCookieName) else { throw .noSession }
        return try await request.service.session(forTicket: ticket)
    }

    /// 401, or with `?login=1` a redirect. Both have the address of the login page, which returns to the proxy's
    /// original request.
    private func refused() -> HTTPResponse {
        let login =
            request.site.configuration.origin.text
            + path(of: .login, returningTo: checkedReturn(forwardedPlace))
        let headers = [("Location", login), ("Cache-Control", "no-store")]
        guard request.http.target["login"] == "1" else {
            return HTTPResponse(status: 401, headers: headers + [("WWW-Authenticate", "Bearer")])
        }
        return HTTPResponse(status: 303, headers: headers)
    }

    /// The URL that was requested from the proxy. Only an allowed origin is accepted, so these headers need not be
    /// trusted.
    private var forwardedPlace: String? {
        guard let target = request.http.headers["x-forwarded-uri"].flatMap(HTTPTarget.originForm),
            let host = target.host ?? request.http.headers["x-forwarded-host"]?.lowercased()
        else { return nil }
        return (request.http.headers["x-forwarded-proto"] ?? "https") + "://" + host + target.origin
    }
}

extension Account {
    /// The signed-in account, for a program behind a proxy.
    fileprivate var remoteHeaders: [(name: String, value: String)] {
        func encoded(_ text: String) -> String {
            let encoded = PercentEncoding.encoded(text, allowing: "+@")
            return encoded.utf8.contains(UInt8(ascii: "~")) ? encoded.replacing("~", with: "%7E") : encoded
        }
        // A proxy may pass on a missing header as the client sent it, or as the name of a variable. Receivers remove a
        // space (RFC 9110, section 5.5), and libmicrohttpd refuses an empty value.
        return [
            ("Remote-User", encoded(username?.typed ?? id.text)), ("Remote-Id", id.text),
            ("Remote-Email", emailVerifiedAt == nil ? " " : encoded(email.typed)),
        ]
    }
}
