import LatchkeyForms
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
    /// The preferred languages of pages, as sent.
    package let locales: [String]

    /// Reads decoded names and values from a query or a body.
    ///
    /// - Parameter undecodable: the names of the parameters with a value that cannot be decoded.
    /// - Throws: an error for the page, because a malformed request never redirects.
    package init(
        _ pairs: [(name: String, value: String)], undecodable: Set<String> = []
    ) throws(OAuthError) {
        let known: Set<String> = ["client_id", "id_token_hint", "post_logout_redirect_uri", "state", "ui_locales"]
        let parameters = RequestParameters(pairs, known: known, undecodable: undecodable, isEmpty: \.isEmpty)
        try parameters.checkSyntax()
        clientID = parameters["client_id"].flatMap(ClientID.init)
        guard clientID != nil || parameters["client_id"] == nil else {
            throw OAuthError(.invalidRequest, "The client_id is malformed")
        }
        state = parameters["state"]
        if let problem = UncheckedAuthorizationRequest.problem(ofEchoed: state, "state") { throw problem }
        idTokenHint = parameters["id_token_hint"]
        redirectURI = parameters["post_logout_redirect_uri"]
        locales = (parameters["ui_locales"] ?? "").split(separator: " ").prefix(16).map(String.init)
    }

    /// The place to redirect to after the logout, if `uri` is registered for the client of the verified hint: exactly the
    /// requested URI, with the state. Nil if no registered URI is identical.
    package func location(registered: [RedirectURI]) -> String? {
        guard let redirectURI, registered.contains(where: { $0.isIdentical(to: redirectURI) }) else { return nil }
        return URIQuery.adding(state.map { [("state", $0)] } ?? [], to: redirectURI)
    }
}

/// A logout with a valid ID token, while the person has not answered yet. It does not contain the token.
package struct VerifiedLogout: Equatable, Sendable {
    /// The account that logs out.
    package let subject: String
    /// The login of the token; nil if it names none.
    package let sessionID: String?
    /// The registered place to redirect to, with the state; nil to stay.
    package let place: String?

    /// Creates a logout.
    package init(subject: String, sessionID: String?, place: String?) {
        (self.subject, self.sessionID, self.place) = (subject, sessionID, place)
    }

    /// The only stored form: a JSON object on one line. No authorization request has this form.
    package var encoded: String {
        let members: [(key: String, value: JSONValue?)] = [
            ("logout", .string(subject)), ("place", place.map(JSONValue.string)),
            ("sid", sessionID.map(JSONValue.string)),
        ]
        return JSONValue.object(members.compactMap { key, value in value.map { (key, $0) } }).encoded
    }

    /// Reads a stored logout; nil for anything that ``encoded`` does not write.
    package init?(encoded: String) {
        guard let json = JSONValue(line: encoded.utf8), let subject = json["logout"]?.string else { return nil }
        self.init(subject: subject, sessionID: json["sid"]?.string, place: json["place"]?.string)
        guard self.encoded.utf8.elementsEqual(encoded.utf8) else { return nil }
    }
}
