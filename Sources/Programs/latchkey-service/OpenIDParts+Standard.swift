import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeyServer

extension OpenIDParts {
    /// The functions with LatchkeyOpenID and LatchkeyPublicKeys.
    static let standard = OpenIDParts(
        problem: { $0.problem },
        endpoints: { issuer in ProviderEndpoint.all(of: issuer).map { Endpoint($0.title, $0.key, $0.url) } },
        newKey: { (algorithm) throws(AccountError) in try ProviderKeys.newKey(algorithm) },
        claims: { preview, forms in
            let settings = preview.client.settings
            let claims = AccountClaims(of: preview.account, in: preview.groups, for: settings.scopes, forms)
            return Claims(
                userInfo: claims.userInfo(for: settings), idToken: claims.idToken(for: settings).claims)
        })
}
