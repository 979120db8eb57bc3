package import LatchkeyForms

/// An error of OAuth 2.0 or OpenID Connect, as clients receive it.
package struct OAuthError: Error, Equatable, Sendable {
    /// The code of an error.
    package enum Code: String, Sendable, CaseIterable {
        // RFC 6749, sections 4.1.2.1 and 5.2.
        case invalidRequest = "invalid_request"
        case invalidClient = "invalid_client"
        case invalidGrant = "invalid_grant"
        case unauthorizedClient = "unauthorized_client"
        case unsupportedGrantType = "unsupported_grant_type"
        case unsupportedResponseType = "unsupported_response_type"
        case invalidScope = "invalid_scope"
        case accessDenied = "access_denied"
        case serverError = "server_error"
        case temporarilyUnavailable = "temporarily_unavailable"
        // OpenID Connect Core 1.0, section 3.1.2.6.
        case interactionRequired = "interaction_required"
        case loginRequired = "login_required"
        case accountSelectionRequired = "account_selection_required"
        case consentRequired = "consent_required"
        case requestNotSupported = "request_not_supported"
        case requestURINotSupported = "request_uri_not_supported"
        /// The login does not reach the level of `acr_values` (OpenID Connect Core Unmet Authentication Requirements 1.0).
        case unmetAuthenticationRequirements = "unmet_authentication_requirements"
        // RFC 6750, section 3.1.
        case invalidToken = "invalid_token"
        case insufficientScope = "insufficient_scope"
        // RFC 8628, section 3.5.
        case authorizationPending = "authorization_pending"
        case slowDown = "slow_down"
        case expiredToken = "expired_token"
        // RFC 7009, section 2.2.1.
        case unsupportedTokenType = "unsupported_token_type"
    }

    /// The code.
    package let code: Code
    /// A sentence for the developer of the client, with only the characters that RFC 6749 allows.
    package let description: String

    /// Creates an error. Other characters of the description are replaced.
    package init(_ code: Code, _ description: String) {
        self.code = code
        let bytes = description.unicodeScalars.map { scalar -> UInt8 in
            switch scalar {
            case "\"", "\\": UInt8(ascii: "'")
            case "\u{20}"..."\u{7E}": UInt8(truncatingIfNeeded: scalar.value)
            default: UInt8(ascii: "?")
            }
        }
        self.description = String(decoding: bytes, as: UTF8.self)
    }

    /// The error of a request that is refused with this status before it is read.
    package init(refusing status: Int) {
        switch status {
        case 429, 503: self.init(.temporarilyUnavailable, "Too many requests")
        case 404: self.init(.invalidRequest, "There is no such endpoint")
        case 405: self.init(.invalidRequest, "The endpoint has other methods")
        case 413, 414, 431: self.init(.invalidRequest, "The request is too long")
        default: self.init(.invalidRequest, "The request is malformed or for another host")
        }
    }

    /// The status of an HTTP response with this error in its body.
    package var status: Int {
        switch code {
        case .invalidClient, .invalidToken: 401
        case .insufficientScope: 403
        case .serverError: 500
        case .temporarilyUnavailable: 503
        default: 400
        }
    }

    /// The body of a response (RFC 6749, section 5.2).
    package var json: JSONValue {
        .object([("error", .string(code.rawValue)), ("error_description", .string(description))])
    }

    /// The parameters of a `WWW-Authenticate` header with the scheme Bearer (RFC 6750, section 3).
    package var challenge: String { #"error="\#(code.rawValue)", error_description="\#(description)""# }
}
