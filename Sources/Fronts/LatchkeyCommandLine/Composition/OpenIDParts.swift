package import LatchkeyAccounts
package import LatchkeyForms

/// The functions of the OpenID provider that commands need, and that only `latchkey-service` has, because it loads the
/// libraries for keys.
package struct OpenIDParts: Sendable {
    /// What an application's page of settings asks for, with the name of each for people and for programs.
    package struct Endpoint: Sendable {
        let title: String
        let key: String
        let url: String

        package init(_ title: String, _ key: String, _ url: String) {
            (self.title, self.key, self.url) = (title, key, url)
        }
    }

    /// What an application learns about an account.
    package struct Claims: Sendable {
        /// The claims of userinfo.
        let userInfo: CommandResult.Members
        /// The claims of the ID token besides the required ones.
        let idToken: CommandResult.Members

        package init(userInfo: CommandResult.Members, idToken: CommandResult.Members) {
            (self.userInfo, self.idToken) = (userInfo, idToken)
        }
    }

    /// Checks the addresses, the scopes and the claims of an application; nil if they follow the rules.
    let problem: @Sendable (ClientSettings) -> ClientSettings.Problem?
    /// The endpoints of the provider with this issuer.
    let endpoints: @Sendable (_ issuer: String) -> [Endpoint]
    /// Generates a key for an algorithm.
    let newKey: @Sendable (_ algorithm: String) throws(AccountError) -> NewSigningKey
    /// The claims about an account for all scopes of an application.
    let claims: @Sendable (AccessPreview, FormCatalogue) -> Claims

    package init(
        problem: @escaping @Sendable (ClientSettings) -> ClientSettings.Problem?,
        endpoints: @escaping @Sendable (String) -> [Endpoint],
        newKey: @escaping @Sendable (String) throws(AccountError) -> NewSigningKey,
        claims: @escaping @Sendable (AccessPreview, FormCatalogue) -> Claims
    ) {
        self.problem = problem
        self.endpoints = endpoints
        self.newKey = newKey
        self.claims = claims
    }
}
