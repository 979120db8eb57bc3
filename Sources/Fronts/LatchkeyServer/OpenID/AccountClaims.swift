package import LatchkeyAccounts
package import LatchkeyForms
import LatchkeyOpenID

/// What an application learns about an account: the claims of its scopes (OpenID Connect Core 1.0, section 5.4), and the
/// claims of form fields.
package struct AccountClaims {
    let account: Account
    /// The names of the account's groups.
    let groups: [String]
    /// The scopes that the owner has granted.
    let scopes: [String]
    /// The fields of the account, which may have claims.
    let fields: [any FormField]

    package init(of account: Account, in groups: [String], for scopes: [String], _ forms: FormCatalogue) {
        self.account = account
        self.groups = groups
        self.scopes = scopes
        fields = forms.form(for: .setup).fields
    }

    /// The claims of the scopes, without `sub`.
    private var members: [(key: String, value: JSONValue)] {
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

    /// The claims of userinfo, with those under the names that the application expects.
    package func userInfo(for settings: ClientSettings) -> [(key: String, value: JSONValue)] {
        [("sub", .string(account.id.text))] + members + mapped(by: settings.mapping)
    }

    /// The claims that the ID token contains besides the required ones.
    ///
    /// - Returns: the claims, and the names of those that are too long for a token. Userinfo has them.
    package func idToken(
        for settings: ClientSettings
    ) -> (claims: [(key: String, value: JSONValue)], tooLong: [String]) {
        let wanted = (members + mapped(by: settings.mapping)).filter { settings.idTokenClaims.contains($0.key) }
        var claims = wanted.filter { $0.value.encoded.utf8.count <= Self.longestInToken }
        // An address is never without the claim that tells whether it is verified.
        let address = JSONValue.string(account.email.typed)
        if claims.contains(where: { $0.value == address }), !claims.contains(where: { $0.key == "email_verified" }) {
            claims.append(("email_verified", .bool(account.emailVerifiedAt != nil)))
        }
        return (claims, wanted.filter { $0.value.encoded.utf8.count > Self.longestInToken }.map(\.key))
    }

    /// The most bytes of a claim in an ID token: 3 KiB. A longer one would exceed what programs accept in a header.
    private static let longestInToken = 3 * 1024

    private func mapped(by mapping: ClaimMapping) -> [(key: String, value: JSONValue)] {
        let members = members
        return mapping.values(groups: Set(groups)) { name in
            name == "sub" ? .string(account.id.text) : members.first { $0.key == name }?.value
        }
    }

    /// The same for people, with a title for each.
    package func facts(_ messages: MessageTable, for settings: ClientSettings) -> [(title: String, value: String)] {
        var facts: [(title: String, value: String)] = []
        func add(_ scope: String, _ value: String) {
            guard scopes.contains(scope), let words = ScopeWords.words(for: scope, fields, messages) else { return }
            facts.append((words, value))
        }
        add("profile", account.name)
        add("email", account.email.typed)
        add("groups", groups.isEmpty ? messages.sentence("application.no_groups") : groups.joined(separator: ", "))
        for field in fields {
            guard let claim = field.claim, scopes.contains(claim.scope),
                let value = account.attributes[field.apiKey.rawValue]
            else { continue }
            facts.append((field.label, value.text))
        }
        for (name, value) in settings.mapping.values(groups: Set(groups), claim: { _ in nil }) {
            // What follows from groups is not in the claims above.
            if case .bool(let flag) = value {
                facts.append((name, messages.sentence(flag ? "page.yes" : "page.no")))
            } else {
                facts.append((name, value.string ?? value.encoded))
            }
        }
        add("offline_access", messages.sentence("page.yes"))
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

/// The scopes that applications ask for, in words for people.
enum ScopeWords {
    /// The codes of the sentences for the scopes that are always there.
    private static let codes = [
        "profile": "application.scope_profile", "email": "application.scope_email",
        "groups": "application.scope_groups", "offline_access": "application.scope_offline_access",
    ]

    /// The words for a scope; nil for `openid`, which every login has.
    ///
    /// - Parameter fields: the fields of an account, which may have scopes of their own.
    static func words(for scope: String, _ fields: [any FormField], _ messages: MessageTable) -> String? {
        if let code = codes[scope] { return messages.sentence(code) }
        let labels = fields.filter { $0.claim?.scope == scope }.map(\.label)
        guard labels.isEmpty else { return labels.joined(separator: ", ") }
        return scope == "openid" ? nil : scope
    }
}
