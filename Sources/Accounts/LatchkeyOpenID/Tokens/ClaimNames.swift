/// The names of claims with a fixed meaning (OpenID Connect Core 1.0, sections 2 and 5.1; RFC 7519, section 4.1).
package enum ClaimNames {
    /// Claims of a token itself. Nothing else can set them.
    package static let ofTokens: Set<String> = [
        "acr", "amr", "at_hash", "aud", "auth_time", "azp", "c_hash", "cnf", "events", "exp", "iat", "iss", "jti",
        "nbf",
        "nonce", "s_hash", "sid", "sub", "sub_jwk",
    ]

    /// Claims that Latchkey sets from the account. A field of a form cannot use them, and an application cannot get
    /// another value under these names.
    package static let ofAccounts: Set<String> = [
        "email", "email_verified", "groups", "preferred_username", "updated_at",
    ]

    /// The maximum number of characters of a name that an operator defines.
    package static let maximumCount = 64

    /// Whether an operator may define a claim with this name: visible ASCII characters except quotation marks and
    /// backslashes, and not the name of a claim that Latchkey sets.
    package static func isFree(_ name: String) -> Bool {
        1...maximumCount ~= name.utf8.count && Scope(name) != nil && !ofTokens.contains(name)
            && !ofAccounts.contains(name)
    }
}
