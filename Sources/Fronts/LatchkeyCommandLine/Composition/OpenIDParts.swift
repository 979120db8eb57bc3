package import LatchkeyAccounts
package import LatchkeyForms
package import LatchkeySecrets

/// The functions of the OpenID provider that commands need, and that only `latchkey-service` has, because it loads the
/// libraries for keys.
package struct OpenIDParts: Sendable {
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

    /// Checks the settings of an application, of which those with these keys change; nil if they follow the rules.
    let problem: Problem
    /// The groups in the settings of an application.
    let groups: @Sendable (ClientSettings) -> [String]
    /// The endpoints of the provider with this issuer.
    let endpoints: @Sendable (_ issuer: String) -> [ProviderEndpoint]
    /// Generates a key for an algorithm.
    let newKey: @Sendable (_ algorithm: SigningAlgorithm) throws(AccountError) -> NewSigningKey
    /// The claims about an account for all scopes of an application.
    let claims: @Sendable (AccessPreview, FormCatalogue) -> Claims

    /// The letters of a typed code of a device, and the code as it is shown; nil if it is not one.
    let userCode: @Sendable (String) -> (symbols: Secret, text: String)?
    /// What an application learns about an account with these groups and scopes, for people.
    let facts: Facts

    package typealias Facts =
        @Sendable (Account, _ groups: [String], _ scopes: [String], ClientSettings, FormCatalogue, MessageTable) -> [(
            title: String, value: String
        )]
    package typealias Problem =
        @Sendable (ClientSettings, _ keys: Set<String>, FormCatalogue) -> ClientSettings.Problem?

    package init(
        problem: @escaping Problem, groups: @escaping @Sendable (ClientSettings) -> [String],
        endpoints: @escaping @Sendable (String) -> [ProviderEndpoint],
        newKey: @escaping @Sendable (SigningAlgorithm) throws(AccountError) -> NewSigningKey,
        claims: @escaping @Sendable (AccessPreview, FormCatalogue) -> Claims,
        userCode: @escaping @Sendable (String) -> (symbols: Secret, text: String)?, facts: @escaping Facts
    ) {
        self.problem = problem
        self.groups = groups
        self.endpoints = endpoints
        self.newKey = newKey
        self.claims = claims
        self.userCode = userCode
        self.facts = facts
    }
}
