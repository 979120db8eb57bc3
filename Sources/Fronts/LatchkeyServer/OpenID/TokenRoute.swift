import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeyOpenID
import LatchkeyPublicKeys
import LatchkeySecrets

/// The token endpoint (RFC 6749, section 3.2).
enum TokenRoute {
    static let path = "/oauth/token"

    static var route: Route {
        Route("POST", path, .client, .header) { request, _, _ in
            do throws(Refusal) { return try await request.issueTokens() } catch { return error.response }
        }
    }
}

extension WebRequest {
    fileprivate func issueTokens() async throws(Refusal) -> HTTPResponse {
        let token: TokenRequest
        let pairs = try clientPairs()
        do throws(OAuthError) {
            token = try TokenRequest(pairs, authorization: http.headers.secret("authorization"))
        } catch {
            throw Refusal(await refusal(error))
        }
        let client = try await authenticated(token.client)
        let result: Result<IssuedTokens, TokenRefusal>
        if case .device(let code) = token.grant { return try await issueTokens(for: code, to: client) }
        do throws(AccountError) {
            switch token.grant {
            case .code(let code, let redirectURI, let verifier):
                result = try await service.redeem(code, by: client.id, redirectURI: redirectURI) { challenge in
                    // A challenge without a verifier, and a verifier without a challenge, are refused.
                    guard let challenge else { return verifier == nil }
                    guard let verifier else { return false }
                    return CodeChallenge(challenge)?.matches(verifier) ?? false
                }
            case .refresh(let refreshToken, let scopes):
                result = try await service.refresh(refreshToken, by: client.id, scopes: scopes?.all.map(\.name))
            case .device: result = .failure(.unknown)
            }
        } catch {
            throw Refusal(json(NetworkResponse(error)))
        }
        switch result {
        case .success(let issued): return try await response(to: client, issued)
        case .failure(let failure):
            logRefusal(failure.name, of: client.id)
            let error: OAuthError =
                failure == .scopeTooWide
                ? OAuthError(.invalidScope, "A refresh cannot widen the scopes")
                : OAuthError(.invalidGrant, "The code or token is unknown, expired, used or of another client")
            throw Refusal(await refusal(error, of: client))
        }
    }

    /// Answers the poll of a device (RFC 8628, section 3.5).
    private func issueTokens(for deviceCode: Secret, to client: Client) async throws(Refusal) -> HTTPResponse {
        let result: Result<IssuedTokens, DeviceRefusal>
        do throws(AccountError) { result = try await service.redeemDevice(deviceCode, by: client.id) } catch {
            throw Refusal(json(NetworkResponse(error)))
        }
        let error: OAuthError
        switch result {
        case .success(let issued): return try await response(to: client, issued)
        case .failure(.pending): error = OAuthError(.authorizationPending, "The person has not answered yet")
        case .failure(.slowDown): error = OAuthError(.slowDown, "Poll five seconds less often")
        case .failure(.denied): error = OAuthError(.accessDenied, "The person has refused")
        case .failure(.expired): error = OAuthError(.expiredToken, "The codes have expired: ask for new ones")
        case .failure(.unknown):
            error = OAuthError(.invalidGrant, "The device code is unknown, used or of another client")
        case .failure(.refused(let refusal)):
            logRefusal(refusal.rawValue, of: client.id)
            error = OAuthError(.accessDenied, "The account may not use this application")
        }
        throw Refusal(await refusal(error, of: client))
    }

    private func response(to client: Client, _ issued: IssuedTokens) async throws(Refusal) -> HTTPResponse {
        let idToken: String?
        do throws(AccountError) {
            idToken = issued.scopes.contains("openid") ? try await self.idToken(issued) : nil
        } catch {
            throw Refusal(json(NetworkResponse(error)))
        }
        let body = TokenResponse(
            accessToken: issued.access, expiresIn: Int(issued.lifetime.components.seconds),
            scopes: Scopes(issued.scopes.compactMap { Scope($0) }), refreshToken: issued.refresh, idToken: idToken
        ).body
        return allowing(
            HTTPResponse(
                status: 200,
                headers: [
                    ("Content-Type", "application/json"), ("Cache-Control", "no-store"), ("Pragma", "no-cache"),
                    ("X-Content-Type-Options", "nosniff"),
                ], body: .secret(body)), for: client)
    }

    /// A signed ID token for the login of these tokens.
    private func idToken(_ issued: IssuedTokens) async throws(AccountError) -> String {
        let settings = issued.client.settings
        guard let audience = ClientID(issued.client.id) else { throw .store(.corrupt) }
        var token = IDToken(
            issuer: issuer, subject: issued.account.id.text, audience: audience,
            issuedAt: Int(issued.issuedAt.milliseconds / 1000),
            lifetime: Int(service.settings.openID.idTokenLifetime.components.seconds))
        token.authenticatedAt = Int(issued.grant.authenticatedAt.milliseconds / 1000)
        token.nonce = issued.nonce
        token.accessTokenHash = IDToken.hash(ofAccessToken: issued.access)
        token.sessionID = issued.sid
        let level = issued.grant.methods.assuranceLevel ?? 1
        token.context = "aal\(level)"
        token.methods = issued.grant.methods.names + (level > 1 ? ["mfa"] : [])
        let claims = AccountClaims(of: issued.account, in: issued.groups, for: issued.scopes, forms)
        let contained = claims.idToken(for: settings)
        token.claims = contained.claims
        for _ in contained.tooLong { logRefusal("claim_too_long", of: issued.client.id) }
        let (kid, key) = try await site.providerKeys.signing(settings.algorithm, of: service)
        try await noteKeyFetch(by: issued.client)
        do throws(SigningFailure) {
            return try JWS.sign(token.json, type: IDToken.type, kid: kid, key: key, random: .system)
        } catch {
            throw .noRandomness
        }
    }

    /// Notes whether the server of an application has fetched the newest key. A public application has no server.
    private func noteKeyFetch(by application: Client) async throws(AccountError) {
        guard !application.settings.isPublic, let address = client?.text,
            let newest = try await site.providerKeys.all(of: service).last?.record,
            site.keyFetches.authenticated(application.id, from: address, newest: newest)
        else { return }
        try await service.noteKeyFetch(by: application.id)
    }

    // MARK: Applications

    /// The pairs of the form that an application has sent.
    func clientPairs() throws(Refusal) -> [(name: String, value: Secret)] {
        guard http.mediaType == "application/x-www-form-urlencoded", let pairs = Submission.secretPairs(http.body)
        else {
            throw Refusal(.oauth(OAuthError(.invalidRequest, "Send a form (application/x-www-form-urlencoded)")))
        }
        return pairs
    }

    /// The application that has authenticated. An unknown one and a wrong secret get the same response.
    func authenticated(_ authentication: ClientAuthentication) async throws(Refusal) -> Client {
        let found: Client?
        do throws(AccountError) { found = try await service.client(authentication.clientID.text) } catch {
            throw Refusal(json(NetworkResponse(error)))
        }
        // Without a secret, it takes as long.
        let isRight = service.verifies(authentication.secret ?? Self.noSecret, of: found)
        let client = found.flatMap { client -> Client? in
            guard !client.isDisabled, service.settings.openID.isEnabled else { return nil }
            return client.settings.isPublic ? (authentication.secret == nil ? client : nil) : (isRight ? client : nil)
        }
        guard let client else {
            logRefusal(OAuthError.Code.invalidClient.rawValue, of: nil)
            throw Refusal(await refusal(OAuthError(.invalidClient, "The client is unknown or its secret is wrong")))
        }
        if let wait = site.budgets.spend(.token, of: Array("client \(client.id)".utf8)) {
            throw Refusal(
                .oauth(OAuthError(.temporarilyUnavailable, "Too many requests"), status: 429)
                    .adding("Retry-After", String(wait.wholeSecondsRoundedUp)))
        }
        return client
    }

    /// The response to a refused request, which counts against the address of an application that has not authenticated.
    ///
    /// - Parameter client: the application; nil if it has not authenticated.
    func refusal(_ error: OAuthError, of client: Client? = nil) async -> HTTPResponse {
        if let client { return allowing(.oauth(error), for: client) }
        if let wait = await spend(.change) { return json(wait) }
        guard error.status == 401, http.headers.hasAuthorization else { return .oauth(error) }
        return .oauth(error).adding("WWW-Authenticate", #"Basic realm="latchkey""#)
    }

    private static let noSecret = Secret(copying: "".utf8Span.span)
}

extension HTTPResponse {
    /// An error of OAuth (RFC 6749, section 5.2).
    static func oauth(_ error: OAuthError, status: Int? = nil) -> HTTPResponse {
        .json(error.json, status: status ?? error.status)
    }
}
