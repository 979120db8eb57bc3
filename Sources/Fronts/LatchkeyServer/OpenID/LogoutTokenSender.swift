package import LatchkeyAccounts
import LatchkeyOpenID
import LatchkeyPublicKeys
package import LatchkeySecrets

/// Sends logout notices as signed tokens (OpenID Connect Back-Channel Logout 1.0, section 2.5).
package struct LogoutTokenSender: LogoutSender {
    private let keys: ProviderKeys
    private let post: @Sendable (_ form: Secret, _ url: String) async throws(LogoutFailure) -> Int

    /// - Parameter post: posts a form and returns the status of the response.
    package init(
        keys: ProviderKeys = ProviderKeys(),
        post: @escaping @Sendable (_ form: Secret, _ url: String) async throws(LogoutFailure) -> Int
    ) {
        self.keys = keys
        self.post = post
    }

    /// Signs a new token and posts it. Only 200 and 204 confirm it, and 400 refuses it for good.
    package func send(
        _ notice: LogoutNotice, id: String, to client: Client, of service: AccountService
    ) async throws(LogoutFailure) {
        guard let url = client.settings.checkedBackchannelLogoutURI else {
            throw LogoutFailure("the address is not valid", isFinal: true)
        }
        let token = try await token(for: notice, id: id, to: client, of: service)
        let form = "logout_token=" + token
        switch try await post(Secret(copying: form.utf8Span.span), url) {
        case 200, 204: return
        case 400: throw LogoutFailure("refused with status 400", isFinal: true)
        case let status: throw LogoutFailure("status \(status)")
        }
    }

    private func token(
        for notice: LogoutNotice, id: String, to client: Client, of service: AccountService
    ) async throws(LogoutFailure) -> String {
        guard let audience = ClientID(client.id), let issuer = service.settings.origin?.text else {
            throw LogoutFailure("the issuer is unknown")
        }
        let token = LogoutToken(
            issuer: issuer, subject: notice.account.text, audience: audience, sessionID: notice.sessionID,
            issuedAt: Int(service.clock.now().milliseconds / 1000), id: id)
        do {
            let (kid, key) = try await keys.signing(client.settings.algorithm, of: service)
            return try JWS.sign(token.json, type: LogoutToken.type, kid: kid, key: key, random: .system)
        } catch {
            throw LogoutFailure("the key for signing cannot be used")
        }
    }
}
