package import LatchkeyForms
package import LatchkeySecrets

/// The claims of an ID token (OpenID Connect Core 1.0, section 2). Times are in seconds since 1970.
package struct IDToken: Sendable {
    /// The `typ` of an ID token.
    package static let type = "JWT"
    /// The lifetime in seconds.
    package static let lifetime = 300

    /// The provider.
    package let issuer: String
    /// The account's ID.
    package let subject: String
    /// The client.
    package let audience: ClientID
    /// The time of issue.
    package let issuedAt: Int
    /// The time of expiry.
    package let expiresAt: Int
    /// The time of the login; nil for a session that an operator created.
    package var authenticatedAt: Int?
    /// The value from the authorization request; nil for none and after a refresh.
    package var nonce: String?
    /// The hash of the access token that is issued with this token; nil for none.
    package var accessTokenHash: String?
    /// The ID of the session; nil for none.
    package var sessionID: String?
    /// The assurance level of the login, such as `aal2`; nil for none.
    package var context: String?
    /// The names of the authentication methods.
    package var methods: [String] = []
    /// Claims of the account, such as `email`. Claims of the token itself are left out.
    package var claims: [(key: String, value: JSONValue)] = []

    /// Creates a token with the required claims.
    package init(
        issuer: String, subject: String, audience: ClientID, issuedAt: Int, lifetime: Int = IDToken.lifetime
    ) {
        self.issuer = issuer
        self.subject = subject
        self.audience = audience
        self.issuedAt = issuedAt
        expiresAt = issuedAt + lifetime
    }

    /// The claims in JSON.
    package var json: JSONValue {
        let own: [(key: String, value: JSONValue?)] = [
            ("iss", .string(issuer)), ("sub", .string(subject)), ("aud", .string(audience.text)),
            ("exp", .integer(expiresAt)), ("iat", .integer(issuedAt)),
            ("auth_time", authenticatedAt.map(JSONValue.integer)), ("nonce", nonce.map(JSONValue.string)),
            ("at_hash", accessTokenHash.map(JSONValue.string)), ("sid", sessionID.map(JSONValue.string)),
            ("acr", context.map(JSONValue.string)),
            ("amr", methods.isEmpty ? nil : .array(methods.map(JSONValue.string))),
        ]
        let others = claims.filter { !FieldClaim.ofTokens.contains($0.key) }
        return .object(own.compactMap { key, value in value.map { (key, $0) } } + others)
    }

    /// The value of `at_hash`: the left half of the SHA-256 digest in base64url (section 3.1.3.6). RS256 and ES256 both
    /// use SHA-256.
    package static func hash(ofAccessToken token: Secret) -> String {
        token.withBytes { Base64URL.text(of: Array(SHA256Digest.of($0).prefix(SHA256Digest.byteCount / 2))) }
    }
}

/// A token that tells a client the end of a session (OpenID Connect Back-Channel Logout 1.0, section 2.4). Times are in
/// seconds since 1970.
package struct LogoutToken: Sendable {
    /// The `typ` of a logout token.
    package static let type = "logout+jwt"
    /// The lifetime in seconds, as the specification recommends.
    package static let lifetime = 120
    private static let event = "http://schemas.openid.net/event/backchannel-logout"

    /// The provider.
    package let issuer: String
    /// The account's ID.
    package let subject: String
    /// The client.
    package let audience: ClientID
    /// The ID of the session; nil for all sessions of the account.
    package let sessionID: String?
    /// The time of issue.
    package let issuedAt: Int
    /// The unique ID of the token.
    package let id: String

    /// Creates a token.
    package init(issuer: String, subject: String, audience: ClientID, sessionID: String?, issuedAt: Int, id: String) {
        self.issuer = issuer
        self.subject = subject
        self.audience = audience
        self.sessionID = sessionID
        self.issuedAt = issuedAt
        self.id = id
    }

    /// The claims in JSON, never with a `nonce`.
    package var json: JSONValue {
        let session: [(key: String, value: JSONValue)] = sessionID.map { [("sid", .string($0))] } ?? []
        let claims: [(key: String, value: JSONValue)] = [
            ("iss", .string(issuer)), ("sub", .string(subject)), ("aud", .string(audience.text)),
            ("iat", .integer(issuedAt)), ("exp", .integer(issuedAt + Self.lifetime)), ("jti", .string(id)),
            ("events", .object([(Self.event, .object([]))])),
        ]
        return .object(claims + session)
    }
}
