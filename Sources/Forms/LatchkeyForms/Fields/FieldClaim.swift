/// The claim under which applications learn the value of a field (OpenID Connect Core 1.0, section 5.1).
public struct FieldClaim: Equatable, Sendable {
    /// The name of the claim, such as `given_name`.
    public let name: String
    /// The scope with which an application asks for the claim.
    public let scope: String

    /// The scope of a claim that names no other one.
    public static let standardScope = "profile"

    /// Creates a claim. Its name should not be one of ``reserved``.
    public init(_ name: String, scope: String = standardScope) {
        self.name = name
        self.scope = scope
    }

    /// Claims of a token itself (OpenID Connect Core 1.0, section 2; RFC 7519, section 4.1). Nothing else can set them.
    public static let ofTokens: Set<String> = [
        "acr", "amr", "at_hash", "aud", "auth_time", "azp", "c_hash", "cnf", "events", "exp", "iat", "iss", "jti",
        "nbf",
        "nonce", "s_hash", "sid", "sub", "sub_jwk",
    ]

    /// Claims that Latchkey sets from the account.
    public static let ofAccounts: Set<String> = [
        "email", "email_verified", "groups", "preferred_username", "updated_at",
    ]

    /// The claims that Latchkey sets itself, so that no field can.
    public static var reserved: Set<String> { ofTokens.union(ofAccounts) }

    /// The scopes whose claims Latchkey sets itself. A field may not add to them.
    public static let reservedScopes: Set<String> = ["email", "groups", "offline_access", "openid"]
}
