import LatchkeyForms

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
