/// The reason why an authorization request gets no code.
package enum AuthorizationError: Error, Equatable, Sendable {
    /// The client or its redirect URI is not known, so that Latchkey shows a page and never redirects.
    case page(PageReason)
    /// The client receives the error at its redirect URI.
    case redirect(ResponseTarget, OAuthError)

    /// The reasons for a page. The raw values are stable.
    package enum PageReason: String, Sendable, CaseIterable {
        /// `client_id` is missing, occurs more than once, or is not a valid ID.
        case malformedClientID = "malformed_client_id"
        /// No client has this ID.
        case unknownClient = "unknown_client"
        /// An operator has disabled the client.
        case disabledClient = "client_disabled"
        /// `redirect_uri` is missing or occurs more than once.
        case malformedRedirectURI = "malformed_redirect_uri"
        /// The client did not register this redirect URI.
        case unknownRedirectURI = "unknown_redirect_uri"
    }
}
