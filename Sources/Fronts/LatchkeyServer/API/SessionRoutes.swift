import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeySecrets

/// `/api/v1/session` and `/api/v1/sessions`: the caller's own sessions.
enum SessionRoutes {
    static func routes(of site: ServiceSite) -> [APIRoute] {
        [
            site.api(
                "GET", "/session",
                .session("showSession", "Whose session the token belongs to", .session)
            ) { call, _ in
                var unusable: AccountSummary?
                let response = await call.withToken { (token) async throws(AccountError) in
                    let live = try await call.service.session(for: token)
                    let account = AccountSummary(live.account)
                    guard live.session.scope == .full else {
                        unusable = account
                        throw .mustChangePassword
                    }
                    let isRecent = call.service.isRecentlyAuthenticated(live.session)
                    let session = live.session.members + [("recent_password", .bool(isRecent))]
                    return .object(call.succeeded([("account", account.json), ("session", .object(session))]))
                }
                return unusable.map { call.api(.changeRequired($0)) } ?? response
            },
            site.api(
                "DELETE", "/session",
                .session("endSession", "End the session", .success)
            ) { call, _ in
                await call.withToken { (token) async throws(AccountError) in
                    guard try await call.service.endSession(token: token) else { throw .noSession }
                    call.site.events.emit(.session(.ended(account: nil)))
                    return .object(call.succeeded())
                }
            },
            site.api(
                "GET", "/sessions",
                .session("listSessions", "The active sessions of the account", .sessions)
            ) { call, _ in
                await call.withToken { (token) async throws(AccountError) in
                    let (own, all) = try await call.service.sessions(token: token)
                    let sessions = all.map { session in
                        JSONValue.object(session.members + [("current", .bool(session.digest == own.digest))])
                    }
                    return .object(call.succeeded([("sessions", .array(sessions))]))
                }
            },
            site.api(
                "DELETE", "/sessions",
                .session("endOtherSessions", "End all other sessions", .ended)
            ) { call, _ in
                await call.withToken { (token) async throws(AccountError) in
                    let ended = try await call.service.endSessions(.others, token: token)
                    if ended > 0 { call.site.events.emit(.session(.othersEnded(account: nil, count: ended))) }
                    return .object(call.succeeded([("ended", .integer(ended))]))
                }
            },
            site.api(
                "DELETE", "/sessions/{id}",
                APIDescription(
                    id: "endOneSession", summary: "End one session", security: .session, parameters: [.session],
                    answer: .ended, refusals: [404])
            ) { call, parameters in
                var isKnown = true
                let response = await call.withToken { (token) async throws(AccountError) in
                    let ended = try await call.service.endSessions(.one(parameters["id"]), token: token)
                    isKnown = ended > 0
                    return .object(call.succeeded([("ended", .integer(ended))]))
                }
                return isKnown ? response : call.problem(404, "unknown_session")
            },
        ]
    }
}

extension APIDescription {
    /// A route of the caller's own session.
    static func session(_ id: String, _ summary: String, _ answer: Answer) -> APIDescription {
        APIDescription(id: id, summary: summary, security: .session, answer: answer)
    }
}

extension Call {
    /// The token of an API request; nil if there is none.
    ///
    /// A cookie counts only if the request comes from one of our pages, because browsers attach it to every request.
    func apiToken() throws(APIRefusal) -> Secret? {
        if request.headers.hasAuthorization {
            guard let token = request.headers.bearerToken else { throw APIRefusal(problem(401, "not_bearer")) }
            return token
        }
        guard let token = cookieToken else { return nil }
        guard request.isSafe || isSameOrigin else { throw APIRefusal(problem(403, "cross_origin")) }
        return token
    }

    /// The token of an API request as the flows take it: that of a session, or of a login that waits for its second factor.
    func apiTokens() throws(APIRefusal) -> RequestTokens {
        let token = try apiToken()
        let isPending = token.map(FactorChallenge.isToken) ?? false
        return RequestTokens(isPending ? nil : token, pending: isPending ? token : nil, on: device)
    }

    /// Answers a request with the token of a session.
    func withToken(
        _ answer: (Secret) async throws(AccountError) -> JSONValue
    ) async -> HTTPResponse {
        await respond { (token) async throws(AccountError) in .json(try await answer(token)) }
    }

    /// The same for a response that is more than JSON.
    func respond(
        _ answer: (Secret) async throws(AccountError) -> HTTPResponse
    ) async -> HTTPResponse {
        do throws(APIRefusal) {
            guard let token = try apiToken() else { return api(NetworkResponse(.noSession)) }
            do throws(AccountError) { return try await answer(token) } catch {
                return api(NetworkResponse(error))
            }
        } catch {
            return error.response
        }
    }

    /// The members of a success.
    func succeeded(
        _ members: [(key: String, value: JSONValue)] = []
    ) -> [(key: String, value: JSONValue)] {
        [("ok", .bool(true)), ("status", .integer(200)), ("code", .string("success"))] + members
    }
}
