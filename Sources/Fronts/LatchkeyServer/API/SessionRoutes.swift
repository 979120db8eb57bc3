import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeySecrets

/// `/api/v1/session` and `/api/v1/sessions`: the caller's sessions.
enum SessionRoutes {
    static var routes: [Route] {
        [
            .session(
                "GET", "/session",
                APIDescription(
                    id: "showSession", summary: "Show the session of the token and its account", answer: "SessionAnswer"
                )
            ) { (request, token, _) async throws(AccountError) in
                let (live, groups) = try await request.service.membership(for: token)
                let account = AccountSummary(live.account, groups: groups)
                guard live.session.scope == .full else { return request.json(.changeRequired(account)) }
                let isRecent = request.service.isRecentlyAuthenticated(live.session)
                let session = SessionSummary(live.session, isOwn: true).members + [("recent_password", .bool(isRecent))]
                return .success([("account", account.json), ("session", .object(session))])
            },
            .session(
                "DELETE", "/session", APIDescription(id: "endSession", summary: "End the session", answer: "Success")
            ) { (request, token, _) async throws(AccountError) in
                guard try await request.service.endSession(token: token) else { throw .noSession }
                request.site.events.emit(.session(.ended(account: nil)))
                return .success()
            },
            .session(
                "GET", "/sessions",
                APIDescription(id: "listSessions", summary: "The active sessions of the account", answer: "Sessions")
            ) { (request, token, _) async throws(AccountError) in
                let (own, all) = try await request.service.sessions(token: token)
                let sessions = all.map { SessionSummary($0, isOwn: $0.digest == own.digest).json }
                return .success([("sessions", .array(sessions))])
            },
            .session(
                "DELETE", "/sessions",
                APIDescription(id: "endOtherSessions", summary: "End all other sessions", answer: "Ended")
            ) { (request, token, _) async throws(AccountError) in
                let ended = try await request.service.endSessions(.others, token: token).count
                if ended > 0 { request.site.events.emit(.session(.othersEnded(account: nil, count: ended))) }
                return .success([("ended", .integer(ended))])
            },
            .session(
                "DELETE", "/sessions/{id}",
                APIDescription(
                    id: "endOneSession", summary: "End one session", parameters: ["Session"], answer: "Ended",
                    refusals: [404])
            ) { (request, token, parameters) async throws(AccountError) in
                let ended = try await request.service.endSessions(.one(parameters["id"]), token: token).count
                guard ended > 0 else { return request.problem(404, "unknown_session") }
                return .success([("ended", .integer(ended))])
            },
        ]
    }
}

extension Route {
    /// An API route for the owner of a session. The only service call in `handler` verifies the token.
    static func session(
        _ method: String, _ path: String, _ description: APIDescription,
        handler: @escaping @Sendable (WebRequest, Secret, Router.Parameters) async throws(AccountError) -> HTTPResponse
    ) -> Route {
        .api(method, path, .token, description) { api, token, parameters in
            do throws(AccountError) { return try await handler(api.request, token, parameters) } catch {
                return api.request.json(NetworkResponse(error))
            }
        }
    }
}
