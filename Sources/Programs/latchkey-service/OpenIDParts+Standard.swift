import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeyForms
import LatchkeyOpenID
import LatchkeySecrets
import LatchkeyServer

extension OpenIDParts {
    /// The functions with LatchkeyOpenID and LatchkeyPublicKeys.
    static let standard = OpenIDParts(
        problem: { settings, keys, forms in settings.problem(in: ProviderVocabulary(forms), changing: keys) },
        groups: { $0.namedGroups },
        endpoints: { ProviderEndpoint.all(of: $0) },
        newKey: { (algorithm) throws(AccountError) in try ProviderKeys.newKey(algorithm) },
        claims: { preview, forms in
            let settings = preview.client.settings
            let claims = AccountClaims(of: preview.account, in: preview.groups, for: settings.scopes, forms)
            return Claims(
                userInfo: claims.userInfo(for: settings), idToken: claims.idToken(for: settings).claims)
        },
        userCode: { UserCode(typed: Secret(copying: $0.utf8Span.span)).map { ($0.symbols, $0.text) } },
        facts: { account, groups, scopes, settings, forms, messages in
            AccountClaims(of: account, in: groups, for: scopes, forms)
                .facts(messages.completed(by: .service), for: settings)
        })
}
