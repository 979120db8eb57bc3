import LatchkeySecrets

/// The place and form of the response to an authorization request. The redirect URI has been validated.
package struct ResponseTarget: Equatable, Sendable {
    /// The way in which a client receives the response.
    package enum Mode: String, Sendable, CaseIterable {
        /// In the query of the redirect URI.
        case query
        /// In a form that a page submits to the redirect URI (OAuth 2.0 Form Post Response Mode).
        case formPost = "form_post"
    }

    /// The redirect URI, as requested.
    package let redirectURI: String
    /// The way of the response.
    package let mode: Mode
    /// The state, as requested; nil if the request had none.
    package let state: String?

    /// Creates a target.
    package init(redirectURI: String, mode: Mode, state: String?) {
        self.redirectURI = redirectURI
        self.mode = mode
        self.state = state
    }

    package static func == (left: ResponseTarget, right: ResponseTarget) -> Bool {
        // `String` would compare by canonical equivalence.
        left.redirectURI.utf8.elementsEqual(right.redirectURI.utf8) && left.mode == right.mode
            && left.state.map { Array($0.utf8) } == right.state.map { Array($0.utf8) }
    }
}

/// The response to an authorization request.
package struct AuthorizationResponse: Sendable {
    /// The place and form of the response.
    package let target: ResponseTarget
    /// The parameters, in order.
    package let parameters: [(name: String, value: String)]

    /// A response with a code.
    ///
    /// - Parameter issuer: the issuer, so that a client notices a response of another provider (RFC 9207).
    package init(code: String, to target: ResponseTarget, issuer: String) {
        self.init([("code", code)], to: target, issuer: issuer)
    }

    /// A response with an error.
    package init(_ error: OAuthError, to target: ResponseTarget, issuer: String) {
        self.init(
            [("error", error.code.rawValue), ("error_description", error.description)], to: target, issuer: issuer)
    }

    private init(_ outcome: [(name: String, value: String)], to target: ResponseTarget, issuer: String) {
        self.target = target
        parameters = outcome + (target.state.map { [("state", $0)] } ?? []) + [("iss", issuer)]
    }

    /// The redirect URI with the parameters at the end of its query, which otherwise stays as it is.
    package var location: String { URIQuery.adding(parameters, to: target.redirectURI) }
}

/// Adds parameters to the query of a URI without a fragment.
enum URIQuery {
    static func adding(_ parameters: [(name: String, value: String)], to uri: String) -> String {
        guard !parameters.isEmpty else { return uri }
        let query = parameters.map { "\($0.name)=\(PercentEncoding.encoded($0.value))" }.joined(separator: "&")
        guard uri.utf8.contains(UInt8(ascii: "?")) else { return uri + "?" + query }
        let needsSeparator = uri.utf8.last != UInt8(ascii: "?") && uri.utf8.last != UInt8(ascii: "&")
        return uri + (needsSeparator ? "&" : "") + query
    }
}
