import LatchkeyForms
package import LatchkeySecrets

/// A verified ID token that a client sent back. It may have expired.
package struct IDTokenHint: Equatable, Sendable {
    /// The time for which hints stay valid after their key was retired, in seconds: one year.
    package static let retiredKeyLifetime = 365 * 86_400

    /// The account's ID.
    package let subject: String
    /// The client that received the token.
    package let audience: ClientID
    /// The ID of the session; nil if the token has none.
    package let sessionID: String?

    /// Verifies a token: its signature by a key that is published or was retired within a year, its type, and its issuer.
    /// Compare ``audience`` with the client of the request.
    ///
    /// - Parameters:
    ///   - keys: all keys, also those that were retired.
    ///   - now: the current time in seconds since 1970.
    package init(_ token: String, keys: [VerificationKey], issuer: String, now: Int) throws(JWSFailure) {
        let valid = keys.filter { key in key.retiredAt.map { $0 >= now - Self.retiredKeyLifetime } ?? true }
        let claims = try JWS.verify(token, type: IDToken.type, keys: valid)
        guard let tokenIssuer = claims["iss"]?.string, tokenIssuer.utf8.elementsEqual(issuer.utf8) else {
            throw .wrongIssuer
        }
        guard let subject = claims["sub"]?.string, let audience = claims["aud"]?.string.flatMap(ClientID.init) else {
            throw .malformed
        }
        self.subject = subject
        self.audience = audience
        sessionID = claims["sid"]?.string
    }
}
