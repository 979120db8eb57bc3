import LatchkeyAccounts
import LatchkeyForms

/// The flags of `applications add` and `applications update`: one for each setting of an application.
enum ApplicationFlags {
    static let all: [FlagSpec] = [
        FlagSpec("name", value: "TEXT", of: .text, "The name that people see, at most 64 bytes [the ID]"),
        FlagSpec(
            "redirect", value: "URL", "Where a login returns to; the application's documentation names it",
            isRepeatable: true),
        FlagSpec("logout-redirect", value: "URL", "Where a logout returns to", isRepeatable: true),
        FlagSpec(
            "scope", value: "SCOPE", of: .text,
            "What it may ask for, such as groups or offline_access; several with commas"
                + " [\(ClientSettings.standardScopes.joined(separator: ","))]", isRepeatable: true),
        FlagSpec("group", value: "GROUP", of: .text, "Only members may log in [everyone]", isRepeatable: true),
        FlagSpec("public", "It cannot keep a secret, like a program on its users' machines"),
        FlagSpec(
            "grant", value: "GRANT", of: .oneOf(ClientSettings.Grant.allCases.map(\.rawValue)),
            "How it gets tokens: code, refresh, device; several with commas [code,refresh]", isRepeatable: true),
        FlagSpec(
            "consent", value: "WHEN", of: .oneOf(ClientSettings.Consent.allCases.map(\.rawValue)),
            "Ask people before it learns about them, or skip that [ask]"),
        FlagSpec(
            "require", value: "LEVEL", of: .oneOf(["aal1", "aal2"]),
            "aal2: only logins with a second factor or a passkey [aal1]"),
        FlagSpec(
            "pkce", value: "WHEN", of: .oneOf(ClientSettings.PKCE.allCases.map(\.rawValue)),
            "Whether requests need PKCE [after ten logins with it]"),
        FlagSpec(
            "algorithm", value: "NAME", of: .oneOf(["RS256", "ES256"]), "The algorithm of ID tokens [RS256]"),
        FlagSpec("allow-http", "Let --redirect name plain HTTP on other hosts than this machine"),
        FlagSpec(
            "scheme", value: "NAME", of: .text, "A private scheme without a dot that --redirect may have",
            isRepeatable: true),
        FlagSpec("introspect", "It may introspect the tokens of every application"),
    ]

    /// How the value of a flag becomes a setting.
    private enum Kind {
        case flag, word, list
        /// A list whose flag takes several elements with commas.
        case words
    }

    /// The setting of each flag.
    private static let settings: [(flag: String, key: String, kind: Kind)] = [
        ("name", "name", .word), ("redirect", "redirect_uris", .list),
        ("logout-redirect", "post_logout_redirect_uris", .list), ("scope", "scopes", .words),
        ("group", "groups", .list),
        ("public", "public", .flag), ("grant", "grants", .words), ("consent", "consent", .word),
        ("require", "require", .word), ("pkce", "pkce", .word), ("algorithm", "algorithm", .word),
        ("allow-http", "allow_http", .flag), ("scheme", "schemes", .list), ("introspect", "introspect", .flag),
    ]

    /// The settings that the flags give, as a file would have them.
    static func json(_ invocation: Invocation) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        for (flag, key, kind) in settings where invocation.has(flag) {
            let texts = invocation.texts(flag)
            let value: JSONValue? =
                switch kind {
                case .flag: .bool(true)
                case .word: texts.first.map { .string($0) }
                case .list: .array(texts.map { .string($0) })
                case .words: .array(texts.flatMap { $0.split(separator: ",") }.map { .string(String($0)) })
                }
            if let value { members.append((key, value)) }
        }
        return .object(members)
    }

    /// The flag that gives a setting, with its hyphens.
    static func flag(of key: String) -> String { "--" + (settings.first { $0.key == key }?.flag ?? key) }
}

extension ClientSettings {
    /// Changes the settings that flags or a file give, and checks all of them.
    ///
    /// - Parameter name: names a setting in messages.
    mutating func change(
        by json: JSONValue, _ parts: OpenIDParts, naming name: (String) -> String
    ) throws(ToolFailure) {
        do throws(ClientSettingsFailure) { try apply(json) } catch {
            switch error {
            case .notAnObject: throw .application(.badSetting(name: name(""), problem: "must be an object"))
            case .unknownKey(let key): throw .application(.unknownSetting(name: name(key)))
            case .missing(let key): throw .application(.badSetting(name: name(key), problem: "is missing"))
            case .badValue(let key): throw .application(.badSetting(name: name(key), problem: "has no valid value"))
            }
        }
        if let problem = parts.problem(self) {
            throw .application(
                .badSetting(
                    name: name(problem.setting),
                    problem: (problem.value.isEmpty ? "" : problem.value + " ") + problem.reason))
        }
    }
}
