import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeySecrets

/// `/api/v1/session` and `/api/v1/sessions`: the caller's own sessions.
enum SessionRoutes {
    static var routes: [Route] {
        [
            .session(
                "GET", "/session",
                APIDescription(id: "showSession", summary: "Whose session the token belongs to", answer: .session)
            ) { (call, token, _) async throws(AccountError) in
                let live = try await call.service.session(for: token)
                let account = AccountSummary(live.account)
                guard live.session.scope == .full else { return call.api(.changeRequired(account)) }
                let isRecent = call.service.isRecentlyAuthenticated(live.session)
                let session = live.session.members + [("recent_password", .bool(isRecent))]
                return .json(
                    .object(call.succeeded([("account", account.json), ("session", .object(session))])))
            },
            .session(
                "DELETE", "/session", APIDescription(id: "endSession", summary: "End the session", answer: .success)
            ) { (call, token, _) async throws(AccountError) in
                guard try await call.service.endSession(token: token) else { throw .noSession }
                call.site.events.emit(.session(.ended(account: nil)))
                return .json(.object(call.succeeded()))
            },
            .session(
                "GET", "/sessions",
                APIDescription(id: "listSessions", summary: "The active sessions of the account", answer: .sessions)
            ) { (call, token, _) async throws(AccountError) in
                let (own, all) = try await call.service.sessions(token: token)
                let sessions = all.map { session in
                    JSONValue.object(session.members + [("current", .bool(session.digest == own.digest))])
                }
                return .json(.object(call.succeeded([("sessions", .array(sessions))])))
            },
            .session(
                "DELETE", "/sessions",
                APIDescription(id: "endOtherSessions", summary: "End all other sessions", answer: .ended)
            ) { (call, token, _) async throws(AccountError) in
                let ended = try await call.service.endSessions(.others, token: token)
                if ended > 0 { call.site.events.emit(.session(.othersEnded(account: nil, count: ended))) }
                return .json(.object(call.succeeded([("ended", .integer(ended))])))
            },
            .session(
                "DELETE", "/sessions/{id}",
                APIDescription(
                    id: "endOneSession", summary: "End one session", parameters: [.session], answer: .ended,
                    refusals: [404])
            ) { (call, token, parameters) async throws(AccountError) in
                let ended = try await call.service.endSessions(.one(parameters["id"]), token: token)
                guard ended > 0 else { return call.problem(404, "unknown_session") }
                return .json(.object(call.succeeded([("ended", .integer(ended))])))
            },
        ]
    }
}

extension Route {
    /// A route of the API for the owner of a session. The one call of the service in `handler` verifies the token.
    static func session(
        _ method: String, _ path: String, _ description: APIDescription,
        handler: @escaping @Sendable (Call, Secret, Router.Parameters) async throws(AccountError) -> HTTPResponse
    ) -> Route {
        .api(method, path, .token, description) { call, token, parameters in
            do throws(AccountError) { return try await handler(call, token, parameters) } catch {
                return call.api(NetworkResponse(error))
            }
        }
    }
}

extension Call {
    /// The members of a success.
    func succeeded(
        _ members: [(key: String, value: JSONValue)] = []
    ) -> [(key: String, value: JSONValue)] {
        [("ok", .bool(true)), ("status", .integer(200)), ("code", .string("success"))] + members
    }
}
