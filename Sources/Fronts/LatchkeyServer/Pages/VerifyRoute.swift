import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeySecrets
import LatchkeyWeb

/// `/verify`: the logged-in account, for a proxy in front of another program (`auth_request` in nginx, `forward_auth`
/// in Caddy).
enum VerifyRoute {
    /// The route verifies the session in its handler, because it also accepts a ticket for the whole domain.
    static var route: Route {
        Route("GET", "/verify", .open(host: .any, .session), .either) { request, _, _ in
            await PageRequest(request).verify()
        }
    }
}

extension PageRequest {
    fileprivate func verify() async -> HTTPResponse {
        do throws(AccountError) {
            let (account, groups) = try await verifiedAccount()
            guard admits(groups) else { return HTTPResponse(status: 403, headers: [("Cache-Control", "no-store")]) }
            guard let header = Self.remoteGroups(groups) else {
                var response = HTTPResponse(status: 500, headers: [("Cache-Control", "no-store")])
                response.problem = "remote_groups_too_long"
                return response
            }
            let headers = account.remoteHeaders + [("Remote-Groups", header), ("Cache-Control", "no-store")]
            return HTTPResponse(status: 204, headers: headers)
        } catch .noSession {
            return refused()
        } catch {
            return HTTPResponse(status: NetworkResponse(error).publicStatus, headers: [("Cache-Control", "no-store")])
        }
    }

    /// The maximum length of `Remote-Groups` in bytes. Proxies refuse longer headers, and a list that is cut would admit
    /// or refuse the wrong accounts.
    private static let maximumGroupsBytes = 4096

    /// The value of `Remote-Groups`; nil if it would be too long. It is a space for an account without groups: see
    /// ``LatchkeyAccounts/Account/remoteHeaders``.
    private static func remoteGroups(_ groups: [GroupName]) -> String? {
        let value = groups.isEmpty ? " " : groups.map(\.text).joined(separator: ",")
        return value.utf8.count <= maximumGroupsBytes ? value : nil
    }

    /// Whether an account with these groups is in one that the proxy requires (`?group=`). An unknown parameter or a
    /// value that cannot name a group admits nobody: ignoring a typing error would admit everybody.
    private func admits(_ groups: [GroupName]) -> Bool {
        var isRestricted = false
        for (name, value) in request.http.target.query {
            switch name {
            case "group":
                isRestricted = true
                if let name = GroupName(value), groups.contains(name) { return true }
            case _ where ["group", "groups"].contains(name.lowercased()): isRestricted = true
            default: break
            }
        }
        return !isRestricted
    }

    /// The account and the groups of every valid proof in the request: a token of ours in `Authorization`, cookies of sessions, and
    /// cookies for the whole domain. Any other `Authorization` belongs to the site behind the proxy.
    ///
    /// - Throws: ``AccountError/noSession`` if no proof is valid, or if two are valid for different accounts.
    private func verifiedAccount() async throws(AccountError) -> (Account, [GroupName]) {
        let headers = request.http.headers
        let token = headers.bearerToken.flatMap { SessionToken.isToken($0) ? $0 : nil }
        let tokens = [token].compactMap(\.self) + headers.cookies(request.cookieName)
        let tickets = headers.cookies(Self.ticketCookieName)
        guard tokens.count + tickets.count <= RequestCookies.mostValues else { throw .noSession }
        var account: (Account, [GroupName])?
        for (proof, isTicket) in tokens.map({ ($0, false) }) + tickets.map({ ($0, true) }) {
            let (live, groups): (LiveSession, [GroupName])
            do throws(AccountError) {
                (live, groups) =
                    try await isTicket
                    ? request.service.membership(forTicket: proof) : request.service.membership(for: proof)
            } catch .noSession {
                continue
            }
            // A session of any other scope may only change the password.
            guard live.session.scope == .full else { continue }
            guard account == nil || account?.0.id == live.account.id else { throw .noSession }
            account = (live.account, groups)
        }
        guard let account else { throw .noSession }
        return account
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

    /// The URL that the client requested from the proxy. Only allowed origins are accepted, so these headers need not
    /// be trusted.
    private var forwardedPlace: String? {
        guard let target = request.http.headers["x-forwarded-uri"].flatMap(HTTPTarget.originForm),
            let host = target.host ?? request.http.headers["x-forwarded-host"]?.lowercased()
        else { return nil }
        return (request.http.headers["x-forwarded-proto"] ?? "https") + "://" + host + target.origin
    }
}

extension Account {
    /// The logged-in account, for a program behind a proxy. Its username is prepared for comparison, so that one owner
    /// cannot appear under several names.
    fileprivate var remoteHeaders: [(name: String, value: String)] {
        func encoded(_ text: String) -> String {
            let encoded = PercentEncoding.encoded(text, allowing: "+@")
            return encoded.utf8.contains(UInt8(ascii: "~")) ? encoded.replacing("~", with: "%7E") : encoded
        }
        // A proxy may pass on a missing header as the client sent it, or as the name of a variable. Receivers remove a
        // space (RFC 9110, section 5.5), and libmicrohttpd refuses an empty value.
        return [
            ("Remote-User", encoded(username?.prepared ?? id.text)), ("Remote-Id", id.text),
            ("Remote-Email", emailVerifiedAt == nil ? " " : encoded(email.typed)),
        ]
    }
}
