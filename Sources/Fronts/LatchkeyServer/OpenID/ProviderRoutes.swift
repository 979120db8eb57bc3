import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeyOpenID
import LatchkeyPublicKeys
import LatchkeySecrets

/// The endpoints of the OpenID provider for programs: metadata, keys and userinfo. ``TokenRoute`` has the one for tokens,
/// and ``AuthorizePages`` the pages.
enum ProviderRoutes {
    static let routes: [Route] =
        ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"].map { path in
            Route("GET", path, .open(), .header) { request, _, _ in await request.metadata() }
        } + [
            Route("GET", "/oauth/jwks", .open(), .header) { request, _, _ in await request.keySet() },
            Route("GET", "/oauth/userinfo", .accessToken, .header) { request, _, _ in await request.userInfo() },
            Route("POST", "/oauth/userinfo", .accessToken, .header) { request, _, _ in await request.userInfo() },
            Route("OPTIONS", "/oauth/userinfo", .preflight, .header) { request, _, _ in await request.preflight() },
            TokenRoute.route, TokenStateRoutes.introspection, TokenStateRoutes.revocation,
            Route("OPTIONS", TokenRoute.path, .preflight, .header) { request, _, _ in await request.preflight() },
        ] + AuthorizePages.routes + EndSessionPages.routes + DevicePages.routes

    /// The parts of the provider that the metadata names.
    static let features: ProviderMetadata.Features = [.refresh, .device, .introspection, .revocation, .logout]
}

extension Gate where Credential == Void {
    /// A route for applications, which authenticate in its handler. Only failures count against their address.
    static var client: Gate {
        Gate(origin: .any, proof: .client, verification: .handler, spendsLater: true) { (_, _) async throws(Refusal) in
        }
    }

    /// A route for the holder of an access token.
    static var accessToken: Gate {
        Gate(origin: .any, proof: .accessToken, verification: .handler, spendsLater: true) {
            (_, _) async throws(Refusal) in
        }
    }

    /// The question of a browser whether a script of another site may send a request.
    static var preflight: Gate {
        Gate(origin: .any, proof: .none, verification: .handler, spendsLater: true) { (_, _) async throws(Refusal) in }
    }
}

extension WebRequest {
    /// The issuer of the provider: the origin of the service, as written.
    var issuer: String { site.configuration.origin.text }

    /// Reports a refused request in the log. Nothing of the request itself is in it.
    func logRefusal(_ rule: String, of client: String?) {
        site.reportRefusal(ProviderRefusal(rule: rule, client: client, request: http.id))
    }

    // MARK: Metadata

    fileprivate func metadata() async -> HTTPResponse {
        guard await hasProvider else { return refuse(404, "not_found") }
        let vocabulary = ProviderVocabulary(forms)
        let keys = (try? await site.providerKeys.all(of: service)) ?? []
        let now = service.clock.now()
        let metadata = ProviderMetadata(
            issuer: issuer, features: ProviderRoutes.features,
            algorithms: keys.filter { $0.record.isPublished(at: now) }.map(\.publicKey.algorithm),
            scopes: vocabulary.scopes, claims: vocabulary.claims, locales: site.languages.keys.map(\.rawValue).sorted())
        return .open(metadata.json, seconds: 300)
    }

    fileprivate func keySet() async -> HTTPResponse {
        guard await hasProvider else { return refuse(404, "not_found") }
        do throws(AccountError) {
            // Before the first login, applications must already find the key.
            _ = try await site.providerKeys.signing(.rs256, of: service)
            let now = service.clock.now()
            let keys = try await site.providerKeys.all(of: service).filter { $0.record.isPublished(at: now) }
            if let newest = keys.last?.record, let address = client?.text {
                for id in site.keyFetches.fetched(from: address, at: now, newest: newest) {
                    try await service.noteKeyFetch(by: id)
                }
            }
            return .open(JWKSet(keys.map { JWK(kid: $0.record.id, publicKey: $0.publicKey) }).json, seconds: 300)
        } catch {
            return json(NetworkResponse(error))
        }
    }

    /// Whether the provider is on: it is as soon as there is an application.
    private var hasProvider: Bool {
        get async {
            guard service.settings.openID.isEnabled else { return false }
            return (try? await service.hasClients()) ?? true
        }
    }

    // MARK: Userinfo

    fileprivate func userInfo() async -> HTTPResponse {
        let token: Secret
        do throws(OAuthError) {
            guard let presented = try presentedToken() else {
                return HTTPResponse(
                    status: 401, headers: [("WWW-Authenticate", "Bearer"), ("Cache-Control", "no-store")])
            }
            token = presented
        } catch {
            return bearerRefusal(error)
        }
        let access: TokenAccess?
        do throws(AccountError) { access = try await service.access(token) } catch {
            return json(NetworkResponse(error))
        }
        guard let access else {
            if let refusal = await spend(.change) { return json(refusal) }
            return bearerRefusal(OAuthError(.invalidToken, "The access token is unknown, expired or revoked"))
        }
        guard access.scopes.contains("openid") else {
            return bearerRefusal(OAuthError(.insufficientScope, "The token does not have the scope openid"))
        }
        let claims = AccountClaims(of: access.account, in: access.groups, for: access.scopes, forms)
        return allowing(.json(.object(claims.userInfo(for: access.client.settings))), for: access.client)
    }

    /// The access token in the header or in a form (RFC 6750, section 2); nil if there is none.
    private func presentedToken() throws(OAuthError) -> Secret? {
        let header = http.headers.bearerToken
        guard http.method == "POST", http.mediaType == "application/x-www-form-urlencoded",
            let pairs = Submission.secretPairs(http.body)
        else { return header }
        let tokens = pairs.filter { $0.name == "access_token" }.map(\.value)
        guard tokens.count + (header == nil ? 0 : 1) <= 1 else {
            throw OAuthError(.invalidRequest, "Send the access token once")
        }
        return header ?? tokens.first
    }

    private func bearerRefusal(_ error: OAuthError) -> HTTPResponse {
        var response = HTTPResponse.json(error.json, status: error.status)
        response.add("WWW-Authenticate", "Bearer " + error.challenge)
        return response
    }

    // MARK: Scripts of other sites

    /// The response with the header that lets a script of the application read it.
    func allowing(_ response: HTTPResponse, for client: Client) -> HTTPResponse {
        guard let origin = http.headers["origin"],
            client.settings.checkedRedirectURIs.contains(where: { $0.origin == origin })
        else { return response }
        return response.adding("Access-Control-Allow-Origin", origin).adding("Vary", "Origin")
    }

    /// Allows a request of a script if an application has a redirect URI on its site.
    fileprivate func preflight() async -> HTTPResponse {
        var response = HTTPResponse(status: 204, headers: [("Cache-Control", "no-store"), ("Vary", "Origin")])
        guard let origin = http.headers["origin"], let clients = try? await service.clients(),
            clients.contains(where: { client in
                !client.isDisabled && client.settings.checkedRedirectURIs.contains { $0.origin == origin }
            })
        else { return response }
        response.add("Access-Control-Allow-Origin", origin)
        response.add("Access-Control-Allow-Methods", "GET, POST")
        response.add("Access-Control-Allow-Headers", "Authorization, Content-Type")
        return response
    }
}

extension HTTPResponse {
    /// A public document, which scripts of every site may read.
    fileprivate static func open(_ json: JSONValue, seconds: Int) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [
                ("Content-Type", "application/json"), ("Cache-Control", "public, max-age=\(seconds)"),
                ("Access-Control-Allow-Origin", "*"), ("X-Content-Type-Options", "nosniff"),
            ], body: .bytes(Array(json.encoded.utf8)))
    }
}

/// A request of an application that a rule has refused, for the log.
package struct ProviderRefusal: Sendable {
    /// The name of the rule.
    package let rule: String
    /// The ID of the application; nil if it is unknown.
    package let client: String?
    /// The ID of the request, as in the other lines of the log.
    package let request: String
}
