package import LatchkeyForms
package import LatchkeySecrets

/// The response of the introspection endpoint (RFC 7662, section 2.2).
package enum IntrospectionResponse: Sendable {
    /// The token is unknown, has expired, was revoked, or the client may not see it. The response does not say which.
    case inactive
    /// The token is valid.
    case active(Token)

    /// A valid token. Times are in seconds since 1970.
    package struct Token: Sendable {
        /// The provider.
        package let issuer: String
        /// The account's ID.
        package let subject: String
        /// The username of the account; nil if the client may not see it.
        package let username: String?
        /// The client of the token.
        package let clientID: ClientID
        /// The scopes of the token.
        package let scopes: Scopes
        /// The time of issue.
        package let issuedAt: Int
        /// The time of expiry.
        package let expiresAt: Int
        /// Whether it is an access token, and not a refresh token.
        package let isAccessToken: Bool

        /// Creates a description of a token.
        package init(
            issuer: String, subject: String, username: String?, clientID: ClientID, scopes: Scopes, issuedAt: Int,
            expiresAt: Int, isAccessToken: Bool
        ) {
            self.issuer = issuer
            self.subject = subject
            self.username = username
            self.clientID = clientID
            self.scopes = scopes
            self.issuedAt = issuedAt
            self.expiresAt = expiresAt
            self.isAccessToken = isAccessToken
        }
    }

    /// The body in JSON.
    package var json: JSONValue {
        guard case .active(let token) = self else { return .object([("active", .bool(false))]) }
        let members: [(key: String, value: JSONValue?)] = [
            ("active", .bool(true)), ("iss", .string(token.issuer)), ("sub", .string(token.subject)),
            ("aud", .string(token.clientID.text)), ("client_id", .string(token.clientID.text)),
            ("username", token.username.map(JSONValue.string)), ("scope", .string(token.scopes.text)),
            ("token_type", token.isAccessToken ? .string("Bearer") : nil), ("iat", .integer(token.issuedAt)),
            ("exp", .integer(token.expiresAt)),
        ]
        return .object(members.compactMap { key, value in value.map { (key, $0) } })
    }
}
