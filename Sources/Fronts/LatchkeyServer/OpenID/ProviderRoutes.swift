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
        documents.map { path, document in
            Route("GET", path, .open(), .header) { request, _, _ in await request.document(document) }
        } + [
            Route("GET", "/oauth/userinfo", .accessToken, .header) { request, _, _ in await request.userInfo() }.brief,
            Route("POST", "/oauth/userinfo", .accessToken, .header) { request, _, _ in await request.userInfo() }.brief,
            Route("OPTIONS", "/oauth/userinfo", .preflight, .header) { request, _, _ in await request.preflight() },
            TokenRoute.route, TokenStateRoutes.introspection, TokenStateRoutes.revocation,
            Route("OPTIONS", TokenRoute.path, .preflight, .header) { request, _, _ in await request.preflight() },
        ] + AuthorizePages.routes + EndSessionPages.routes + DevicePages.routes

    /// The public documents, by path.
    static let documents = [
        ("/.well-known/openid-configuration", ProviderKeys.Document.metadata),
        ("/.well-known/oauth-authorization-server", .metadata), ("/oauth/jwks", .keySet),
    ]

    /// The paths of the routes that read credentials there.
    static func paths(_ carrier: Requirements.Carrier) -> Set<[String]> {
        carrier == .header ? programPaths : pagePaths
    }

    private static let programPaths = paths(of: routes.filter { $0.requirements.carrier == .header })
    private static let pagePaths = paths(of: routes.filter { $0.requirements.carrier == .cookie })

    private static func paths(of routes: [Route]) -> Set<[String]> {
        Set(routes.map { $0.template.split(separator: "/").map(String.init) })
    }

    /// The parts of the provider that the metadata names.
    static let features: ProviderMetadata.Features = [
        .refresh, .device, .introspection, .revocation, .logout, .backChannelLogout,
    ]
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
    ///
    /// - Parameter client: the ID of an application that exists; nil if it is unknown.
    func logRefusal(_ rule: String, of client: String?) {
        site.reportRefusal(ProviderRefusal(rule: rule, reason: nil, client: client, request: http.id))
    }

    /// The same for an error of OAuth, of which several rules have the same code.
    ///
    /// - Parameter detail: the rule, if the description is of several.
    func logRefusal(_ error: OAuthError, of client: String?, because detail: String? = nil) {
        let reason = error.description + (detail.map { " (\($0))" } ?? "")
        site.reportRefusal(
            ProviderRefusal(rule: error.code.rawValue, reason: reason, client: client, request: http.id))
    }

    /// The response to a call of the service that has failed, for an application.
    func oauthFailure(_ error: AccountError) -> HTTPResponse {
        logRefusal(NetworkResponse(error).code.rawValue, of: nil)
        return .oauth(OAuthError(.temporarilyUnavailable, "Try again later"))
    }

    // MARK: Metadata

    /// A public document. Without an application the provider is off, and has no routes.
    fileprivate func document(_ document: ProviderKeys.Document) async -> HTTPResponse {
        do throws(AccountError) {
            let body = try await site.providerKeys.body(of: document) { () async throws(AccountError) in
                guard try await service.hasClients() else { return nil }
                return switch document {
                case .metadata: try await metadata()
                case .keySet: try await keySet()
                }
            }
            guard let body else { return refuse(404, "not_found") }
            if document == .keySet { try await noteKeyFetch() }
            return .open(body)
        } catch {
            return oauthFailure(error)
        }
    }

    private func metadata() async throws(AccountError) -> JSONValue {
        let vocabulary = ProviderVocabulary(forms)
        return ProviderMetadata(
            issuer: issuer, features: ProviderRoutes.features, algorithms: try await service.usedAlgorithms(),
            scopes: vocabulary.scopes, claims: vocabulary.claims, locales: site.languages.keys.map(\.rawValue).sorted()
        ).json
    }

    private func keySet() async throws(AccountError) -> JSONValue {
        // Before the first login, applications must already find the key.
        for algorithm in try await service.usedAlgorithms() {
            _ = try await site.providerKeys.signing(algorithm, of: service)
        }
        let now = service.clock.now()
        let keys = try await site.providerKeys.all(of: service).filter { $0.record.isPublished(at: now) }
        return JWKSet(keys.map { JWK(kid: $0.record.id, publicKey: $0.publicKey) }).json
    }

    /// Notes that the server of an application has the newest key.
    private func noteKeyFetch() async throws(AccountError) {
        let now = service.clock.now()
        guard let address = client?.text,
            let newest = try await site.providerKeys.all(of: service).last(where: { $0.record.isPublished(at: now) })
        else { return }
        for id in site.keyFetches.fetched(from: address, at: now, newest: newest.record) {
            try await service.noteKeyFetch(by: id)
        }
    }

    // MARK: Userinfo

    fileprivate func userInfo() async -> HTTPResponse {
        let token: Secret
        do throws(OAuthError) {
            guard let presented = try presentedToken() else {
                // A request without a token gets no error code (RFC 6750, section 3.1).
                logRefusal("token_missing", of: nil)
                return HTTPResponse(
                    status: 401, headers: [("WWW-Authenticate", Self.bearerRealm), ("Cache-Control", "no-store")])
            }
            token = presented
        } catch {
            return bearerRefusal(error, of: nil)
        }
        let found: Result<TokenAccess, LostAccess>
        do throws(AccountError) { found = try await service.accessOrReason(token) } catch { return oauthFailure(error) }
        let access: TokenAccess
        do throws(LostAccess) { access = try found.get() } catch {
            if let wait = await wait(spending: .change) { return refuse(429, "busy", after: wait) }
            return bearerRefusal(
                OAuthError(.invalidToken, "The access token is unknown, expired or revoked"), of: error.client,
                loggedAs: error.client.map { _ in error.reason.name })
        }
        guard access.scopes.contains("openid") else {
            return allowing(
                bearerRefusal(
                    OAuthError(.insufficientScope, "The token does not have the scope openid"), of: access.client),
                for: access.client)
        }
        let claims = AccountClaims(of: access.account, in: access.groups, for: access.scopes, forms)
        return allowing(.json(.object(claims.userInfo(for: access.client.settings))), for: access.client)
    }

    /// The access token in the header or in a form (RFC 6750, section 2); nil if there is none.
    private func presentedToken() throws(OAuthError) -> Secret? {
        let header = http.headers.bearerToken
        guard http.method == "POST", http.mediaType == "application/x-www-form-urlencoded" else { return header }
        guard let pairs = Submission.secretPairs(http.body) else {
            throw OAuthError(.invalidRequest, "The form is malformed")
        }
        let tokens = pairs.filter { $0.name == "access_token" }.map(\.value)
        guard tokens.count + (header == nil ? 0 : 1) <= 1 else {
            throw OAuthError(.invalidRequest, "Send the access token once")
        }
        return header ?? tokens.first
    }

    /// - Parameter rule: the name of the rule in the log; nil for the error.
    private func bearerRefusal(
        _ error: OAuthError, of client: Client?, loggedAs rule: String? = nil
    ) -> HTTPResponse {
        if let rule { logRefusal(rule, of: client?.id) } else { logRefusal(error, of: client?.id) }
        return .oauth(error).adding("WWW-Authenticate", Self.bearerRealm + ", " + error.challenge)
    }

    private static let bearerRealm = #"Bearer realm="latchkey""#

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

extension ServiceSite {
    /// A public document that is ready, for the server's own thread; nil for any other request.
    func prepared(for request: HTTPRequest) -> HTTPResponse? {
        guard request.method == "GET", configuration.hosts.contains(request.host),
            let (template, document) = ProviderRoutes.documents.first(where: { $0.0 == request.target.rawPath }),
            let (body, newest) = providerKeys.present(document)
        else { return nil }
        if document == .keySet {
            guard let newest, let address = configuration.proxies.client(of: request)?.text,
                keyFetches.noteRepeated(from: address, at: service.clock.now(), newest: newest)
            else { return nil }
        }
        var response = HTTPResponse.open(body)
        response.route = template
        return response
    }
}

extension HTTPResponse {
    /// A public document, which scripts of every site may read.
    fileprivate static func open(_ json: [UInt8]) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [
                ("Content-Type", "application/json"), ("Cache-Control", "public, max-age=300"),
                ("Access-Control-Allow-Origin", "*"), ("X-Content-Type-Options", "nosniff"),
            ], body: .bytes(json))
    }
}

/// A request of an application that a rule has refused, for the log.
package struct ProviderRefusal: Sendable {
    /// The name of the rule, or the code of the error that the application or the person gets.
    package let rule: String
    /// The rule in words, if several have the same code; nil otherwise.
    package let reason: String?
    /// The ID of the application; nil if it is unknown.
    package let client: String?
    /// The ID of the request, as in the other lines of the log.
    package let request: String
}
