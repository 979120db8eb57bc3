package import LatchkeyForms
package import LatchkeySecrets

/// The metadata of the provider (OpenID Connect Discovery 1.0, section 3; RFC 8414, section 2).
package struct ProviderMetadata: Sendable {
    /// The parts of the provider that the metadata names only if they exist.
    package struct Features: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// The refresh grant.
        package static let refresh = Features(rawValue: 1)
        /// The device grant (RFC 8628).
        package static let device = Features(rawValue: 2)
        /// The introspection endpoint (RFC 7662).
        package static let introspection = Features(rawValue: 4)
        /// The revocation endpoint (RFC 7009).
        package static let revocation = Features(rawValue: 8)
        /// RP-initiated logout.
        package static let logout = Features(rawValue: 16)
        /// Back-channel logout.
        package static let backChannelLogout = Features(rawValue: 32)
        /// Claims that a client requests by name.
        package static let claimsParameter = Features(rawValue: 64)

        /// All of them.
        package static let all: Features = [
            .refresh, .device, .introspection, .revocation, .logout, .backChannelLogout, .claimsParameter,
        ]
    }

    /// The issuer, without a trailing slash.
    package let issuer: String
    /// The existing parts.
    package let features: Features
    /// The algorithms of the published keys, of which several may have the same one. RS256 is always one of them.
    package let algorithms: [SigningAlgorithm]
    /// The scopes, also those of fields.
    package let scopes: [Scope]
    /// The claims of accounts, also those of fields.
    package let claims: [String]
    /// The languages of pages; empty to leave them out.
    package let locales: [String]

    /// Creates the metadata.
    package init(
        issuer: String, features: Features = .all, algorithms: [SigningAlgorithm], scopes: [Scope], claims: [String],
        locales: [String] = []
    ) {
        self.issuer = issuer
        self.features = features
        self.algorithms = algorithms
        self.scopes = scopes
        self.claims = claims
        self.locales = locales
    }

    /// The metadata in JSON. It states the values whose defaults would be wrong, and has no empty list.
    package var json: JSONValue {
        .object(
            (endpoints + lists + [
                ("claims_parameter_supported", .bool(features.contains(.claimsParameter))),
                ("request_parameter_supported", .bool(false)),
                ("request_uri_parameter_supported", .bool(false)),
                ("authorization_response_iss_parameter_supported", .bool(true)),
            ] + logout).filter { $0.value != .array([]) })
    }

    private var endpoints: [(key: String, value: JSONValue)] {
        let always: [(name: String, path: String, feature: Features)] = [
            ("authorization_endpoint", "authorize", []), ("token_endpoint", "token", []),
            ("userinfo_endpoint", "userinfo", []), ("jwks_uri", "jwks", []),
            ("introspection_endpoint", "introspect", .introspection), ("revocation_endpoint", "revoke", .revocation),
            ("device_authorization_endpoint", "device", .device), ("end_session_endpoint", "logout", .logout),
        ]
        return [("issuer", .string(issuer))]
            + always.filter { features.contains($0.feature) }.map { ($0.name, .string("\(issuer)/oauth/\($0.path)")) }
    }

    private var lists: [(key: String, value: JSONValue)] {
        let secrets: [ClientAuthentication.Method] = [.basic, .post]
        let methods = Self.list((secrets + [.none]).map(\.rawValue))
        let grants: [(TokenRequest.GrantType, Features)] = [(.code, []), (.refresh, .refresh), (.device, .device)]
        let introspection = features.contains(.introspection) ? Self.list(secrets.map(\.rawValue)) : .array([])
        return [
            ("scopes_supported", Self.list(scopes.map(\.name))), ("response_types_supported", Self.list(["code"])),
            ("response_modes_supported", Self.list(ResponseTarget.Mode.allCases.map(\.rawValue))),
            ("grant_types_supported", Self.list(grants.filter { features.contains($0.1) }.map(\.0.rawValue))),
            ("subject_types_supported", Self.list(["public"])),
            ("id_token_signing_alg_values_supported", Self.list(algorithmNames)),
            ("token_endpoint_auth_methods_supported", methods),
            ("introspection_endpoint_auth_methods_supported", introspection),
            ("revocation_endpoint_auth_methods_supported", features.contains(.revocation) ? methods : .array([])),
            ("code_challenge_methods_supported", Self.list([CodeChallenge.method])),
            ("prompt_values_supported", Self.list(AuthorizationRequest.Prompts.names.map(\.name))),
            ("acr_values_supported", Self.list(["aal1", "aal2"])), ("claim_types_supported", Self.list(["normal"])),
            ("claims_supported", Self.list(claimNames)), ("ui_locales_supported", Self.list(locales)),
        ]
    }

    private var logout: [(key: String, value: JSONValue)] {
        guard features.contains(.backChannelLogout) else { return [] }
        return [("backchannel_logout_supported", .bool(true)), ("backchannel_logout_session_supported", .bool(true))]
    }

    /// RS256 first, because every client supports it.
    private var algorithmNames: [String] {
        ([SigningAlgorithm.rs256] + SigningAlgorithm.allCases.filter { $0 != .rs256 && algorithms.contains($0) })
            .map(\.rawValue)
    }

    private var claimNames: [String] {
        let own = ["iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "at_hash", "sid", "acr", "amr"]
        return own + claims.filter { !own.contains($0) }
    }

    private static func list(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
}
