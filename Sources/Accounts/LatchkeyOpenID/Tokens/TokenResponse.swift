import LatchkeyForms
package import LatchkeySecrets

/// The response to a token request (RFC 6749, section 5.1; OpenID Connect Core 1.0, section 3.1.3.3).
package struct TokenResponse: Sendable {
    /// The access token.
    package let accessToken: Secret
    /// The remaining lifetime of the access token in seconds.
    package let expiresIn: Int
    /// The granted scopes.
    package let scopes: Scopes
    /// The refresh token; nil for none.
    package let refreshToken: Secret?
    /// The signed ID token; nil without the scope `openid`.
    package let idToken: String?

    /// Creates a response.
    package init(
        accessToken: Secret, expiresIn: Int, scopes: Scopes, refreshToken: Secret? = nil, idToken: String? = nil
    ) {
        self.accessToken = accessToken
        self.expiresIn = expiresIn
        self.scopes = scopes
        self.refreshToken = refreshToken
        self.idToken = idToken
    }

    /// The body in JSON. Send it with `Cache-Control: no-store`.
    package var body: Secret {
        let members: [(key: String, value: JSONValue)] =
            [
                ("token_type", .string("Bearer")), ("expires_in", .integer(expiresIn)), ("scope", .string(scopes.text)),
            ] + (idToken.map { [("id_token", .string($0))] } ?? [])
        let secrets =
            [("access_token", SecretMember.text(accessToken))]
            + (refreshToken.map { [("refresh_token", SecretMember.text($0))] } ?? [])
        return JSONValue.object(members).encoded(adding: secrets.map { (name: $0.0, value: $0.1) })
    }
}
