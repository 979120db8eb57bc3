package import LatchkeyForms
import LatchkeyOpenID

/// The scopes and claims of the provider: its own, and those of form fields.
package struct ProviderVocabulary: Sendable {
    let scopes: [Scope]
    /// The claims of accounts, without those of tokens.
    let claims: [String]

    package init(_ forms: FormCatalogue) {
        let fields = forms.form(for: .setup).fields.compactMap(\.claim)
        scopes = Scopes(Scope.standard + fields.compactMap { Scope($0.scope) }).all
        claims = FieldClaim.ofAccounts.sorted() + fields.map(\.name)
    }
}
