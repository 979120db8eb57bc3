package import LatchkeyAccounts
import LatchkeyForms
import LatchkeyOpenID

extension ProviderEndpoint {
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
