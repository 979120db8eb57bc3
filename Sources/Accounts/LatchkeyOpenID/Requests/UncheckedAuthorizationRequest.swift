import LatchkeyForms
package import LatchkeySecrets

/// An authorization request of which only the client and the redirect URI have been read. Find the client, and then check
/// the rest with ``checked(redirectURIs:isPublic:requiresChallenge:)``.
package struct UncheckedAuthorizationRequest: Sendable {
    /// The client that the request names.
    package let clientID: ClientID
    /// The redirect URI, which no client may have registered.
    package let redirectURI: String
    private let parameters: RequestParameters<String>

    /// The maximum length of `state` and of `nonce` in bytes.
    package static let maximumStateByteCount = 2_048
    /// The maximum length of a hint in bytes. Longer hints are ignored, because they only save typing.
    private static let maximumHintByteCount = 320

    /// Reads decoded names and values from a query or a body.
    ///
    /// - Parameter undecodable: the names of the parameters with a value that cannot be decoded.
    /// - Throws: ``AuthorizationError/page(_:)``.
    package init(
        _ pairs: [(name: String, value: String)], undecodable: Set<String> = []
    ) throws(AuthorizationError) {
        let parameters = RequestParameters(
            pairs, known: Self.names, undecodable: undecodable, isEmpty: \.isEmpty)
        guard let clientID = parameters["client_id"].flatMap(ClientID.init) else { throw .page(.malformedClientID) }
        guard let redirectURI = parameters["redirect_uri"] else { throw .page(.malformedRedirectURI) }
        self.parameters = parameters
        self.clientID = clientID
        self.redirectURI = redirectURI
    }

    /// The client that a request claims to be of; nil if it names none. The request may be malformed.
    package static func claimedClient(_ pairs: [(name: String, value: String)]) -> ClientID? {
        let named = pairs.filter { $0.name == "client_id" }
        return named.count == 1 ? ClientID(named[0].value) : nil
    }

    /// Checks the redirect URI first, and then all other parameters.
    ///
    /// - Parameters:
    ///   - redirectURIs: the registered URIs of the client.
    ///   - isPublic: whether the client has no secret.
    ///   - requiresChallenge: whether the client must use PKCE. Public clients always must.
    package func checked(
        redirectURIs: [RedirectURI], isPublic: Bool, requiresChallenge: Bool
    ) throws(AuthorizationError) -> AuthorizationRequest {
        guard redirectURIs.contains(where: { $0.matches(redirectURI, isPublic: isPublic) }) else {
            throw .page(.unknownRedirectURI)
        }
        let state = parameters["state"]
        let stateProblem = Self.problem(ofEchoed: state, "state")
        let mode = parameters["response_mode"].map(ResponseTarget.Mode.init)
        let target = ResponseTarget(
            redirectURI: redirectURI, mode: (mode ?? nil) ?? .query, state: stateProblem == nil ? state : nil)
        do throws(OAuthError) {
            try parameters.checkSyntax()
            try checkObjects()
            if let stateProblem { throw stateProblem }
            if let mode, mode == nil {
                throw OAuthError(.invalidRequest, "The response_mode must be query or form_post")
            }
            return try request(to: target, requiresChallenge: isPublic || requiresChallenge)
        } catch {
            throw .redirect(target, error)
        }
    }

    private func request(
        to target: ResponseTarget, requiresChallenge: Bool
    ) throws(OAuthError) -> AuthorizationRequest {
        try checkResponseType()
        guard let scopes = Scopes(parameters["scope"] ?? "") else {
            throw OAuthError(.invalidScope, "The scope is malformed")
        }
        let nonce = parameters["nonce"]
        if let problem = Self.problem(ofEchoed: nonce, "nonce") { throw problem }
        return AuthorizationRequest(
            clientID: clientID, target: target, scopes: scopes, nonce: nonce, prompt: try prompt(),
            maximumAge: try maximumAge(),
            loginHint: parameters["login_hint"].flatMap { $0.utf8.count <= Self.maximumHintByteCount ? $0 : nil },
            locales: words("ui_locales"), contexts: words("acr_values"),
            challenge: try challenge(isRequired: requiresChallenge), claims: try claims(),
            idTokenHint: parameters["id_token_hint"])
    }

    /// The problem of a value that a response repeats unchanged; nil if there is none. A form would change line breaks (RFC
    /// 6749, appendix A.5).
    static func problem(ofEchoed value: String?, _ name: String) -> OAuthError? {
        guard let value else { return nil }
        guard value.utf8.count <= maximumStateByteCount else {
            return OAuthError(.invalidRequest, "The \(name) is longer than \(maximumStateByteCount) bytes")
        }
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            return OAuthError(.invalidRequest, "The \(name) contains control characters")
        }
        return nil
    }

    /// Refuses request objects (OpenID Connect Core 1.0, section 6).
    private func checkObjects() throws(OAuthError) {
        guard parameters["request"] == nil else {
            throw OAuthError(.requestNotSupported, "Send the parameters without a request object")
        }
        guard parameters["request_uri"] == nil else {
            throw OAuthError(.requestURINotSupported, "Send the parameters without a request object")
        }
    }

    private func checkResponseType() throws(OAuthError) {
        guard let type = parameters["response_type"] else {
            throw OAuthError(.invalidRequest, "The response_type is missing")
        }
        guard type.utf8.elementsEqual("code".utf8) else {
            throw OAuthError(.unsupportedResponseType, "The response_type must be code")
        }
    }

    /// Unknown values are ignored.
    private func prompt() throws(OAuthError) -> AuthorizationRequest.Prompts {
        let words = Set(words("prompt"))
        var prompts: AuthorizationRequest.Prompts = []
        for (name, prompt) in AuthorizationRequest.Prompts.names where words.contains(name) { prompts.insert(prompt) }
        guard !prompts.contains(.none) || words.count == 1 else {
            throw OAuthError(.invalidRequest, "The prompt none must be the only one")
        }
        return prompts
    }

    private func maximumAge() throws(OAuthError) -> Int? {
        guard let text = parameters["max_age"] else { return nil }
        // `Int` alone would accept a sign.
        guard text.utf8.allSatisfy(\.isASCIIDigit), let seconds = Int(text) else {
            throw OAuthError(.invalidRequest, "The max_age must be a number of seconds")
        }
        return seconds
    }

    private func challenge(isRequired: Bool) throws(OAuthError) -> CodeChallenge? {
        let method = parameters["code_challenge_method"]
        guard let text = parameters["code_challenge"] else {
            if method != nil { throw OAuthError(.invalidRequest, "The code_challenge is missing") }
            if isRequired { throw OAuthError(.invalidRequest, "This client must send a code_challenge (PKCE)") }
            return nil
        }
        guard method == CodeChallenge.method else {
            throw OAuthError(.invalidRequest, "The code_challenge_method must be S256")
        }
        guard let challenge = CodeChallenge(text) else {
            throw OAuthError(.invalidRequest, "The code_challenge must be a SHA-256 digest in base64url")
        }
        return challenge
    }

    private func claims() throws(OAuthError) -> RequestedClaims {
        guard let text = parameters["claims"] else { return .none }
        guard let claims = RequestedClaims(parameter: text) else {
            throw OAuthError(.invalidRequest, "The claims must be a JSON object with userinfo or id_token")
        }
        return claims
    }

    private func words(_ name: String) -> [String] {
        (parameters[name] ?? "").split(separator: " ").prefix(16).map(String.init)
    }

    private static let names: Set<String> = [
        "acr_values", "claims", "client_id", "code_challenge", "code_challenge_method", "id_token_hint", "login_hint",
        "max_age", "nonce", "prompt", "redirect_uri", "request", "request_uri", "response_mode", "response_type",
        "scope", "state", "ui_locales",
    ]
}
