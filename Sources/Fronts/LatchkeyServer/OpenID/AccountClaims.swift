import LatchkeyAccounts
import LatchkeyForms
import LatchkeyOpenID

/// What an application learns about an account: the claims of its scopes (OpenID Connect Core 1.0, section 5.4), and the
/// claims of form fields.
struct AccountClaims {
    let account: Account
    /// The names of the account's groups.
    let groups: [String]
    /// The scopes that the owner has granted.
    let scopes: [String]
    /// The fields of the account, which may have claims.
    let fields: [any FormField]

    init(of account: Account, in groups: [String], for scopes: [String], _ forms: FormCatalogue) {
        self.account = account
        self.groups = groups
        self.scopes = scopes
        fields = forms.form(for: .setup).fields
    }

    /// The claims, without `sub`.
    var members: [(key: String, value: JSONValue)] {
        var members: [(key: String, value: JSONValue)] = []
        if scopes.contains("profile") {
            // An address is never without the claim that tells whether it is verified.
            if let name = account.username?.typed ?? (scopes.contains("email") ? account.email.typed : nil) {
                members.append(("preferred_username", .string(name)))
            }
            members.append(("updated_at", .integer(Int(account.updatedAt.milliseconds / 1000))))
        }
        if scopes.contains("email") {
            members.append(("email", .string(account.email.typed)))
            members.append(("email_verified", .bool(account.emailVerifiedAt != nil)))
        }
        if scopes.contains("groups") { members.append(("groups", .array(groups.map { .string($0) }))) }
        for field in fields {
            guard let claim = field.claim, scopes.contains(claim.scope), let value = value(of: field) else { continue }
            members.append((claim.name, value))
        }
        return members
    }

    /// The claims under the names that the application expects.
    func mapped(by mapping: ClaimMapping) -> [(key: String, value: JSONValue)] {
        let members = members
        return mapping.values(groups: Set(groups)) { name in
            name == "sub" ? .string(account.id.text) : members.first { $0.key == name }?.value
        }
    }

    /// The same for people, with a title for each.
    func facts(_ messages: MessageTable) -> [(title: String, value: String)] {
        var facts: [(title: String, value: String)] = []
        if scopes.contains("profile") { facts.append((messages.sentence("application.username"), account.name)) }
        if scopes.contains("email") { facts.append((messages.sentence("application.email"), account.email.typed)) }
        if scopes.contains("groups") {
            let none = messages.sentence("application.no_groups")
            facts.append(
                (messages.sentence("application.groups"), groups.isEmpty ? none : groups.joined(separator: ", ")))
        }
        for field in fields {
            guard let claim = field.claim, scopes.contains(claim.scope),
                let value = account.attributes[field.apiKey.rawValue]
            else { continue }
            facts.append((field.label, value.text))
        }
        if scopes.contains("offline_access") {
            facts.append(
                (messages.sentence("application.offline"), messages.sentence("application.offline_what")))
        }
        if facts.isEmpty {
            facts.append((messages.sentence("application.id"), messages.sentence("application.id_what")))
        }
        return facts
    }

    private func value(of field: any FormField) -> JSONValue? {
        guard let stored = account.attributes[field.apiKey.rawValue] else { return nil }
        switch stored {
        case .boolean(let flag): return .bool(flag)
        case .list(let texts): return .array(texts.map { .string($0) })
        default: return stored.text.isEmpty ? nil : .string(stored.text)
        }
    }
}
