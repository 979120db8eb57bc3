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
        let pairs = try await clientPairs()
        do throws(OAuthError) {
            token = try TokenRequest(pairs, authorization: http.headers.secret("authorization"))
        } catch {
            throw Refusal(try await refusal(error, toClaimOf: pairs))
        }
        var isPoll = false
        if case .device = token.grant { isPoll = true }
        let client = try await authenticated(token.client, polling: isPoll)
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
            throw Refusal(oauthFailure(error))
        }
        switch result {
        case .success(let issued): return try await response(to: client, issued)
        case .failure(let failure):
            let error: OAuthError =
                failure == .scopeTooWide
                ? OAuthError(.invalidScope, "A refresh cannot widen the scopes")
                : OAuthError(
                    .invalidGrant,
                    "The code or token is unknown, expired, used or of another client, or the redirect_uri or"
                        + " code_verifier does not belong to it")
            throw Refusal(await refusal(error, to: client, loggedAs: failure.name))
        }
    }

    /// Answers the poll of a device (RFC 8628, section 3.5).
    private func issueTokens(for deviceCode: Secret, to client: Client) async throws(Refusal) -> HTTPResponse {
        let result: Result<IssuedTokens, DeviceRefusal>
        do throws(AccountError) { result = try await service.redeemDevice(deviceCode, by: client.id) } catch {
            throw Refusal(oauthFailure(error))
        }
        let error: OAuthError
        switch result {
        case .success(let issued): return try await response(to: client, issued)
        case .failure(.pending):
            // This is no refusal.
            throw Refusal(
                allowing(.oauth(OAuthError(.authorizationPending, "The user has not answered yet")), for: client))
        case .failure(.slowDown): error = OAuthError(.slowDown, "Wait five seconds longer between polls")
        case .failure(.denied):
            error = OAuthError(.accessDenied, "The user has refused, or may not use this application")
        case .failure(.expired): error = OAuthError(.expiredToken, "The codes have expired: ask for new ones")
        case .failure(.unknown):
            error = OAuthError(.invalidGrant, "The device code is unknown, used or of another client")
        case .failure(.refused(let refusal)):
            throw Refusal(
                await self.refusal(
                    OAuthError(.accessDenied, "The account may not use this application"), to: client,
                    loggedAs: refusal.rawValue))
        }
        throw Refusal(await refusal(error, to: client))
    }

    private func response(to client: Client, _ issued: IssuedTokens) async throws(Refusal) -> HTTPResponse {
        let idToken: String?
        do throws(AccountError) {
            idToken = issued.scopes.contains("openid") ? try await self.idToken(issued) : nil
        } catch {
            throw Refusal(oauthFailure(error))
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
}
