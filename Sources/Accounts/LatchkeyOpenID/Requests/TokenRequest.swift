import LatchkeyForms
package import LatchkeySecrets

/// A request to the token endpoint (RFC 6749, section 3.2).
package struct TokenRequest: Sendable {
    /// The name of each supported grant.
    package enum GrantType: String, Sendable, CaseIterable {
        case code = "authorization_code"
        case refresh = "refresh_token"
        case device = "urn:ietf:params:oauth:grant-type:device_code"
    }

    /// The grant for which the client requests tokens.
    package enum Grant: Sendable {
        /// A code with the redirect URI of its authorization request, and the verifier if that had a challenge.
        case code(Secret, redirectURI: String, verifier: Secret?)
        /// A refresh token. Nil scopes are those of the grant.
        case refresh(Secret, scopes: Scopes?)
        /// A device code (RFC 8628).
        case device(Secret)
    }

    /// The client that sent the request. It has not been authenticated.
    package let client: ClientAuthentication
    /// The grant.
    package let grant: Grant

    /// Reads the pairs of a body, never of a query.
    ///
    /// - Parameter authorization: the value of the `Authorization` header; nil if there is none.
    package init(_ body: [(name: String, value: Secret)], authorization: Secret?) throws(OAuthError) {
        let own: Set<String> = [
            "code", "code_verifier", "device_code", "grant_type", "redirect_uri", "refresh_token", "scope",
        ]
        let parameters = try RequestParameters(body: body, known: own)
        client = try ClientAuthentication(authorization: authorization, parameters)
        guard let type = parameters["grant_type"] else {
            throw OAuthError(.invalidRequest, "The grant_type is missing")
        }
        switch type.textIfValid.flatMap(GrantType.init) {
        case .code:
            guard let redirectURI = try parameters.required("redirect_uri").textIfValid else {
                throw OAuthError(.invalidRequest, "The redirect_uri is not UTF-8")
            }
            grant = .code(
                try parameters.required("code"), redirectURI: redirectURI, verifier: parameters["code_verifier"])
        case .refresh:
            grant = .refresh(try parameters.required("refresh_token"), scopes: try parameters.scopes())
        case .device: grant = .device(try parameters.required("device_code"))
        case nil:
            throw OAuthError(
                .unsupportedGrantType, "The grant_type must be one of those in grant_types_supported of the metadata")
        }
    }
}

/// A token that a client sends to the introspection endpoint (RFC 7662) or to the revocation endpoint (RFC 7009).
package struct PresentedToken: Sendable {
    /// The client that sent the request. It has not been authenticated.
    package let client: ClientAuthentication
    /// The token, which may be any bytes.
    package let token: Secret
    /// The kind of the token according to the client, such as `refresh_token`; nil if it does not say. It may be wrong.
    package let typeHint: String?

    /// Reads the pairs of a body, never of a query.
    package init(_ body: [(name: String, value: Secret)], authorization: Secret?) throws(OAuthError) {
        let parameters = try RequestParameters(body: body, known: ["token", "token_type_hint"])
        client = try ClientAuthentication(authorization: authorization, parameters)
        token = try parameters.required("token")
        typeHint = parameters["token_type_hint"]?.textIfValid
    }
}

/// A request for a device code (RFC 8628, section 3.1).
package struct DeviceAuthorizationRequest: Sendable {
    /// The client that sent the request. It has not been authenticated.
    package let client: ClientAuthentication
    /// The requested scopes, which the client may not all have.
    package let scopes: Scopes

    /// Reads the pairs of a body, never of a query.
    package init(_ body: [(name: String, value: Secret)], authorization: Secret?) throws(OAuthError) {
        let parameters = try RequestParameters(body: body, known: ["scope"])
        client = try ClientAuthentication(authorization: authorization, parameters)
        scopes = try parameters.scopes() ?? Scopes([])
    }
}

extension RequestParameters<Secret> {
    /// The parameters of a client's request, none of which occurs more than once.
    fileprivate init(body: [(name: String, value: Secret)], known: Set<String>) throws(OAuthError) {
        self.init(body, known: known.union(ClientAuthentication.names), isEmpty: \.isEmpty)
        try checkSyntax()
    }

    fileprivate func required(_ name: String) throws(OAuthError) -> Secret {
        guard let value = self[name] else { throw OAuthError(.invalidRequest, "The \(name) is missing") }
        return value
    }

    /// Nil if the parameter is omitted.
    fileprivate func scopes() throws(OAuthError) -> Scopes? {
        guard let parameter = self["scope"] else { return nil }
        guard let scopes = parameter.textIfValid.flatMap({ Scopes($0) }) else {
            throw OAuthError(.invalidScope, "The scope is malformed")
        }
        return scopes
    }
}
