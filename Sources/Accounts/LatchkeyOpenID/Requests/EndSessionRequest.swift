package import LatchkeySecrets

/// A request of a client to log its user out (OpenID Connect RP-Initiated Logout 1.0, section 2). Nothing in it has been
/// verified.
package struct EndSessionRequest: Equatable, Sendable {
    /// The ID token of the user; nil for none.
    package let idTokenHint: String?
    /// The client; nil if the request names none.
    package let clientID: ClientID?
    /// The requested redirect URI; nil for none.
    package let redirectURI: String?
    /// The state for the redirect URI; nil for none.
    package let state: String?

    /// Reads decoded names and values from a query or a body.
    ///
    /// - Throws: an error for the page, because a malformed request never redirects.
    package init(_ pairs: [(name: String, value: String)]) throws(OAuthError) {
        let known: Set<String> = ["client_id", "id_token_hint", "post_logout_redirect_uri", "state"]
        let parameters = RequestParameters(pairs, known: known, isEmpty: \.isEmpty)
        try parameters.checkDuplicates()
        clientID = parameters["client_id"].flatMap(ClientID.init)
        guard clientID != nil || parameters["client_id"] == nil else {
            throw OAuthError(.invalidRequest, "The client_id is malformed")
        }
        state = parameters["state"]
        guard (state?.utf8.count ?? 0) <= UncheckedAuthorizationRequest.maximumStateByteCount else {
            throw OAuthError(.invalidRequest, "The state is longer than 2048 bytes")
        }
        idTokenHint = parameters["id_token_hint"]
        redirectURI = parameters["post_logout_redirect_uri"]
    }

    /// The place to redirect to after the logout, if `uri` is registered for the client of the verified hint: exactly the
    /// requested URI, with the state. Nil if no registered URI is identical.
    package func location(registered: [RedirectURI]) -> String? {
        guard let redirectURI, registered.contains(where: { $0.isIdentical(to: redirectURI) }) else { return nil }
        return URIQuery.adding(state.map { [("state", $0)] } ?? [], to: redirectURI)
    }
}
