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
            await request.answer { (presented) async throws(Refusal) in
                let found: (client: Client?, access: TokenAccess?)
                do throws(AccountError) {
                    found = try await request.service.introspect(presented.token, by: presented.client.clientID.text)
                } catch {
                    throw Refusal(request.oauthFailure(error))
                }
                _ = try await request.admitted(found.client, by: presented.client)
                guard let access = found.access else { return .json(.object([("active", .bool(false))])) }
                return .json(.object(access.members(issuer: request.issuer)))
            }
        }.brief
    }

    static var revocation: Route {
        Route("POST", "/oauth/revoke", .client, .header) { request, _, _ in
            await request.answer { (presented) async throws(Refusal) in
                let client = try await request.authenticated(presented.client)
                do throws(AccountError) { try await request.service.revoke(presented.token, by: client) } catch {
                    throw Refusal(request.oauthFailure(error))
                }
                return request.allowing(
                    HTTPResponse(status: 200, headers: [("Cache-Control", "no-store")]), for: client)
            }
        }
    }
}

extension WebRequest {
    /// Answers a request of an application about a token. The call authenticates the application.
    fileprivate func answer(
        _ call: (PresentedToken) async throws(Refusal) -> HTTPResponse
    ) async -> HTTPResponse {
        do throws(Refusal) {
            let pairs = try await clientPairs()
            let presented: PresentedToken
            do throws(OAuthError) {
                presented = try PresentedToken(pairs, authorization: http.headers.secret("authorization"))
            } catch {
                throw Refusal(try await refusal(error, toClaimOf: pairs))
            }
            return try await call(presented)
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
