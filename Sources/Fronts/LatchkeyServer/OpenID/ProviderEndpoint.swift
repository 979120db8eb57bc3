import LatchkeyForms
import LatchkeyOpenID

/// An address that an application's page of settings asks for.
package struct ProviderEndpoint: Sendable {
    /// The name for people.
    package let title: String
    /// The name in the metadata.
    package let key: String
    package let url: String

    private static let titles = [
        ("authorization_endpoint", "Authorization"), ("token_endpoint", "Token"), ("userinfo_endpoint", "User info"),
        ("jwks_uri", "Keys"), ("end_session_endpoint", "Logout"), ("device_authorization_endpoint", "Device"),
        ("introspection_endpoint", "Introspection"), ("revocation_endpoint", "Revocation"),
    ]

    /// The addresses of a provider, in the order of people's interest.
    package static func all(of issuer: String) -> [ProviderEndpoint] {
        let metadata = ProviderMetadata(
            issuer: issuer, features: ProviderRoutes.features, algorithms: [], scopes: [], claims: []
        ).json
        let discovery = ProviderEndpoint(
            title: "Discovery", key: "openid_configuration", url: issuer + "/.well-known/openid-configuration")
        return [discovery]
            + titles.compactMap { key, title in
                metadata[key]?.string.map { ProviderEndpoint(title: title, key: key, url: $0) }
            }
    }
}
