import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets

/// What `applications add` and `applications show` print about an application.
struct ApplicationSheet {
    private let client: Client
    private let endpoints: [ProviderEndpoint]
    private let context: CommandContext
    /// Whether to print all settings, and not only those that the application asks for.
    private let isComplete: Bool

    init(_ client: Client, _ parts: OpenIDParts, _ context: CommandContext, isComplete: Bool = false) {
        self.client = client
        self.context = context
        self.isComplete = isComplete
        endpoints = parts.endpoints(context.issuer)
    }

    /// Prints the application, and its new secret if there is one.
    @discardableResult
    func show(on output: Output, with secret: Secret? = nil) throws(ToolFailure) -> CommandResult {
        if !context.settings.openID.isEnabled { output.note(context.messages.sentence("tool.openid_off")) }
        if context.serviceSettings.origin == nil { output.note(context.messages.sentence("tool.application_local")) }
        guard !output.json else {
            let members =
                [("issuer", .string(context.issuer))] + client.members
                + endpoints.map { (key: $0.key, value: .string($0.url)) }
            let result: CommandResult =
                if let secret {
                    .secret(secret, named: "client_secret", json: members)
                } else {
                    .lines([], json: members)
                }
            try output.show(result, context.messages)
            return .printed
        }
        let start = [("Issuer", context.issuer), ("Client ID", client.id)]
        let rest = endpoints.map { ($0.title, $0.url) } + (isComplete ? settings + state : neededSettings)
        let width = (start + rest + [(Self.secretTitle, "")]).map(\.0.count).max() ?? 0
        func padded(_ title: String) -> String { title + String(repeating: " ", count: width - title.count + 2) }
        try output.result(start.map { padded($0.0) + $0.1 })
        if let secret {
            let title = Array(padded(Self.secretTitle).utf8)
            var line = SecretBytes(capacity: title.count + secret.count)
            _ = line.append(title.span) && secret.withBytes { line.append($0) }
            try output.line(of: Secret(line))
        }
        try output.result(rest.map { padded($0.0) + $0.1 })
        return .printed
    }

    private static let secretTitle = "Client secret"

    // MARK: Rows

    /// The settings that the application itself asks for.
    private var neededSettings: [(String, String)] { rows(of: .scopes) + rows(of: .redirectURIs) }

    private var settings: [(String, String)] { ClientSetting.all.flatMap(rows) }

    /// The rows of a setting; empty for a list without elements and a flag that is not set.
    private func rows(of setting: ClientSetting) -> [(String, String)] {
        switch setting.value(in: client.settings) {
        case .array(let elements) where setting.isListOfWords:
            let texts = elements.compactMap(\.string)
            return texts.isEmpty ? [] : [(setting.title, texts.joined(separator: " "))]
        case .array(let elements) where !elements.isEmpty: return elements.map { (setting.title, $0.string ?? "") }
        case .array, .null:
            if setting.key == ClientSetting.pkce.key { return [(setting.title, pkce)] }
            return setting.defaultText.map { [(setting.title, $0)] } ?? []
        case .bool(let flag): return flag ? [(setting.title, "yes")] : []
        case .string(let text): return [(setting.title, text)]
        case let value: return [(setting.title, value.encoded)]
        }
    }

    /// The decision about PKCE that the operator has left to Latchkey.
    private var pkce: String {
        if client.settings.isPublic { return "required, because it is public" }
        if client.requiresPKCE { return "required, because it has used it (pinned)" }
        return "optional until \(Client.pinningLogins) logins have used it (\(client.pkceLogins) so far)"
    }

    private var state: [(String, String)] {
        [
            ("Secrets", client.settings.isPublic ? "none, because it is public" : String(client.secretCount)),
            ("State", context.messages.sentence(client.isDisabled ? "list.disabled" : "list.active")),
            ("Created", context.shown(client.createdAt)),
            ("Last login", client.usedAt.map { context.shown($0) } ?? context.messages.sentence("list.never")),
        ]
    }
}

extension CommandContext {
    /// The issuer of the provider: the public origin of the service, or its address on this machine.
    fileprivate var issuer: String { serviceSettings.originOrTrial?.text ?? "" }
}
