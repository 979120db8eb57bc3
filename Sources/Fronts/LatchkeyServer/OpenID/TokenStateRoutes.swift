import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeyOpenID
import LatchkeySecrets

/// The endpoints about issued tokens: introspection (RFC 7662) and revocation (RFC 7009).
enum TokenStateRoutes {
    static var introspection: Route {
        Route("POST", "/oauth/introspect", .client, .header) { request, _, _ in
            await request.answer { (client, token) async throws(AccountError) in
                guard let access = try await request.service.introspect(token, for: client) else {
                    return .json(.object([("active", .bool(false))]))
                }
                return .json(.object(access.members(issuer: request.issuer)))
            }
        }
    }

    static var revocation: Route {
        Route("POST", "/oauth/revoke", .client, .header) { request, _, _ in
            await request.answer { (client, token) async throws(AccountError) in
                try await request.service.revoke(token, by: client)
                return request.allowing(
                    HTTPResponse(status: 200, headers: [("Cache-Control", "no-store")]), for: client)
            }
        }
    }
}

extension WebRequest {
    /// Answers a request about a token of an application that has authenticated.
    fileprivate func answer(
        _ call: (Client, Secret) async throws(AccountError) -> HTTPResponse
    ) async -> HTTPResponse {
        do throws(Refusal) {
            let pairs = try await clientPairs()
            let presented: PresentedToken
            do throws(OAuthError) {
                presented = try PresentedToken(pairs, authorization: http.headers.secret("authorization"))
            } catch {
                throw Refusal(try await refusal(error, toClaimOf: pairs))
            }
            let client = try await authenticated(presented.client)
            do throws(AccountError) { return try await call(client, presented.token) } catch {
                throw Refusal(oauthFailure(error))
            }
        } catch {
            return error.response
        }
    }
}

extension TokenAccess {
    /// The members of an active token (RFC 7662, section 2.2).
    fileprivate func members(issuer: String) -> [(key: String, value: JSONValue)] {
        [
            ("active", .bool(true)), ("scope", .string(scopes.joined(separator: " "))),
            ("client_id", .string(client.id)), ("username", .string(account.name)), ("token_type", .string("Bearer")),
            ("exp", .integer(Int(expiresAt.milliseconds / 1000))), ("iat", .integer(Int(issuedAt.milliseconds / 1000))),
            ("sub", .string(account.id.text)), ("aud", .string(client.id)), ("iss", .string(issuer)),
        ]
    }
}
