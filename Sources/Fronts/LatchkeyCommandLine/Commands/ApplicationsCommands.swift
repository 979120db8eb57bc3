import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets

/// `applications add`: lets the users of an application log in with Latchkey.
enum ApplicationsAddCommand {
    static let spec = CommandSpec(
        words: ["applications", "add"], summary: "Let an application log its users in",
        about:
            "Add the application ID, and print what its settings ask for: the issuer, the client ID, the secret and the"
            + " addresses. The secret cannot be shown again. You choose ID: 1 to 128 letters, digits and - . _ ~.",
        operand: CommandSpec.Operand(name: "ID", isRequired: true),
        flags: ApplicationFlags.all + [
            FlagSpec("secret-file", value: "PATH", "The secret that the application has already, in the first line")
        ], isOfService: true, statuses: [.done, .no, .data, .exists] + ExitStatus.ofStores,
        examples: [
            "latchkey applications add wiki --redirect https://wiki.example.org/cb",
            "latchkey applications add tool --public --grant device,refresh --json",
        ]
    ) { (context) async throws(ToolFailure) in
        let parts = try context.openIDParts()
        let id = try context.applicationID()
        var settings = ClientSettings(name: String(id.prefix(64)))
        try settings.change(by: ApplicationFlags.json(context.invocation), parts, naming: ApplicationFlags.flag)
        let given = try givenSecret(context)
        let installation = try await Installation.open(context, creating: true)
        let (client, secret) = try await installation.administeringClients(id) {
            (service) async throws(AccountService.ClientRefusal) in
            try await service.addClient(id, settings, secret: given, by: .thisUser)
        }
        return try context.show(client, secret, parts)
    }

    private static func givenSecret(_ context: CommandContext) throws(ToolFailure) -> Secret? {
        guard let path = try context.invocation.path("secret-file") else { return nil }
        var lines = SecretLines(try InputFiles.open(path, context.output, context.messages), named: path)
        let secret = try lines.line(maximumBytes: 1024, flag: path)
        guard 16...1024 ~= secret.count else { throw .badValue("--secret-file", .secret(minimum: 16, maximum: 1024)) }
        return secret
    }
}

/// `applications list`: lists all applications, without their secrets.
enum ApplicationsListCommand {
    static let spec = CommandSpec(
        words: ["applications", "list"], summary: "List the applications",
        about:
            "List the applications that log their users in here: ID, name, state, last login and creation. In a pipe or"
            + " file, print a line for each, with a tab between the cells; with --json one object a line.",
        flags: [.utc], statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey applications list", "latchkey applications list --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        let clients = try await installation.asking { (service) async throws(AccountError) in
            try await service.clients()
        }
        var table = ListTable(context, titles: ["list.id", "list.name", "list.state", "list.used", "list.created"])
        let never = context.messages.sentence("list.never")
        for client in clients {
            table.add(
                [
                    .text(client.id), .text(client.settings.name),
                    .text(context.messages.sentence(client.isDisabled ? "list.disabled" : "list.active")),
                    client.usedAt.map { .time($0) } ?? .text(never), .time(client.createdAt),
                ], json: .object(client.members))
        }
        try table.finish(counted: "list.applications", none: "list.applications_none")
        return .printed
    }
}

/// `applications show`: shows an application's settings and addresses.
enum ApplicationsShowCommand {
    static let spec = CommandSpec(
        words: ["applications", "show"], summary: "Show an application",
        about: "Show the settings of the application ID, and the addresses that its own settings ask for.",
        operand: CommandSpec.Operand(name: "ID", isRequired: true), isOfService: true,
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey applications show wiki", "latchkey applications show wiki --json"]
    ) { (context) async throws(ToolFailure) in
        let parts = try context.openIDParts()
        let id = try context.applicationID()
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        let found = try await installation.asking { (service) async throws(AccountError) in try await service.client(id)
        }
        guard let client = found else { throw .application(.unknown(id: id)) }
        return try context.show(client, nil, parts)
    }
}

/// `applications update`: changes the settings of an application.
enum ApplicationsUpdateCommand {
    static let spec = CommandSpec(
        words: ["applications", "update"], summary: "Change an application",
        about: "Change the settings that the flags give. A list, such as --redirect, replaces the earlier one.",
        operand: CommandSpec.Operand(name: "ID", isRequired: true), flags: ApplicationFlags.all, isOfService: true,
        statuses: [.done, .no, .data] + ExitStatus.ofStores,
        examples: [
            "latchkey applications update wiki --redirect https://wiki.example.org/login",
            "latchkey applications update wiki --require aal2 --json",
        ]
    ) { (context) async throws(ToolFailure) in
        let parts = try context.openIDParts()
        let id = try context.applicationID()
        let json = ApplicationFlags.json(context.invocation)
        guard json != .object([]) else { throw .updateNothing }
        let installation = try await Installation.open(context, creating: false)
        let found = try await installation.asking { (service) async throws(AccountError) in try await service.client(id)
        }
        guard var settings = found?.settings else { throw .application(.unknown(id: id)) }
        try settings.change(by: json, parts, naming: ApplicationFlags.flag)
        try await installation.administeringClients(id) {
            [settings] (service) async throws(AccountService.ClientRefusal) in
            _ = try await service.updateClient(id, by: .thisUser) { $0.settings = settings }
        }
        return .sentence("tool.application_updated", ["id": .text(id)], json: [("client_id", .string(id))])
    }
}

/// `applications secret`: replaces the secret of an application in two steps, without a moment in which it has none.
enum ApplicationsSecretCommand {
    static let spec = CommandSpec(
        words: ["applications", "secret"], summary: "Replace the secret of an application",
        about:
            "Add a second secret to the application ID and print it. Both are valid until you retire the first one with"
            + " --retire, after the application has the new one.",
        operand: CommandSpec.Operand(name: "ID", isRequired: true),
        flags: [FlagSpec("retire", "Delete the older one of two secrets")],
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey applications secret wiki", "latchkey applications secret wiki --retire"]
    ) { (context) async throws(ToolFailure) in
        let id = try context.applicationID()
        let installation = try await Installation.open(context, creating: false)
        guard !context.invocation.has("retire") else {
            try await installation.administeringClients(id) { (service) async throws(AccountService.ClientRefusal) in
                try await service.retireClientSecret(of: id, by: .thisUser)
            }
            return .sentence("tool.application_secret_retired", ["id": .text(id)], json: [("client_id", .string(id))])
        }
        let secret = try await installation.administeringClients(id) {
            (service) async throws(AccountService.ClientRefusal) in
            try await service.addClientSecret(to: id, by: .thisUser)
        }
        return .secret(secret, named: "client_secret", json: [("client_id", .string(id))])
    }
}

/// `applications disable|enable|unpin|remove`: changes the state of an application.
enum ApplicationsStateCommand {
    static let disable = spec(
        "disable", "tool.application_disabled", "Disable an application",
        about: "Refuse all logins and tokens of the application ID until it is enabled again."
    ) { (service, id) async throws(AccountService.ClientRefusal) in
        try await service.updateClient(id, by: .thisUser) { $0.isDisabled = true }
    }

    static let enable = spec(
        "enable", "tool.application_enabled", "Enable an application", about: "Enable an application that was disabled."
    ) {
        (service, id) async throws(AccountService.ClientRefusal) in
        try await service.updateClient(id, by: .thisUser) { $0.isDisabled = false }
    }

    static let unpin = spec(
        "unpin", "tool.application_unpinned", "Accept logins without PKCE again",
        about:
            "Once an application has used PKCE in \(Client.pinningLogins) logins, a login without PKCE is refused, because"
            + " it could come from an attacker. Accept such logins until there are \(Client.pinningLogins) with PKCE again."
    ) { (service, id) async throws(AccountService.ClientRefusal) in
        try await service.updateClient(id, by: .thisUser) { $0.unpin() }
    }

    static let remove = spec(
        "remove", "tool.application_removed", "Remove an application",
        about: "Remove the application ID with its consents and tokens, so that nobody can log in to it."
    ) { (service, id) async throws(AccountService.ClientRefusal) in
        try await service.removeClient(id, by: .thisUser)
    }

    private static func spec(
        _ word: String, _ sentence: String, _ summary: String, about: String,
        _ change: @escaping @Sendable (AccountService, String) async throws(AccountService.ClientRefusal) -> Void
    ) -> CommandSpec {
        CommandSpec(
            words: ["applications", word], summary: summary, about: about,
            operand: CommandSpec.Operand(name: "ID", isRequired: true), statuses: [.done, .no] + ExitStatus.ofStores,
            examples: ["latchkey applications \(word) wiki", "latchkey applications \(word) wiki --json"]
        ) { (context) async throws(ToolFailure) in
            let id = try context.applicationID()
            let installation = try await Installation.open(context, creating: false)
            try await installation.administeringClients(id) { (service) async throws(AccountService.ClientRefusal) in
                try await change(service, id)
            }
            return .sentence(sentence, ["id": .text(id)], json: [("client_id", .string(id))])
        }
    }
}

extension CommandContext {
    func openIDParts() throws(ToolFailure) -> OpenIDParts {
        guard let parts = parts?.openID else { throw .internal }
        return parts
    }

    /// The ID of an application in the operand.
    func applicationID() throws(ToolFailure) -> String {
        guard let id = operand, Client.isID(id) else { throw .application(.badID(id: operand ?? "")) }
        return id
    }

    /// The issuer of the provider: the public origin of the service, or its address on this machine.
    private var issuer: String { serviceSettings.origin?.text ?? "http://localhost:8421" }

    /// Prints an application with its new secret, as its page of settings asks for them.
    fileprivate func show(_ client: Client, _ secret: Secret?, _ parts: OpenIDParts) throws(ToolFailure)
        -> CommandResult
    {
        if serviceSettings.origin == nil { output.note(messages.sentence("tool.application_local")) }
        let endpoints = parts.endpoints(issuer)
        let members =
            [("issuer", .string(issuer))] + client.members + endpoints.map { (key: $0.key, value: .string($0.url)) }
        guard !output.json else {
            guard let secret else { return .lines([], json: members) }
            return .secret(secret, named: "client_secret", json: members)
        }
        var rows = [("Issuer", issuer), ("Client ID", client.id)]
        if secret != nil { rows.append(("Client secret", "")) }
        rows += endpoints.map { ($0.title, $0.url) }
        rows.append(("Scopes", client.settings.scopes.joined(separator: " ")))
        for uri in client.settings.redirectURIs { rows.append(("Redirect URI", uri)) }
        let width = rows.map(\.0.count).max() ?? 0
        for (title, value) in rows {
            let start = title + String(repeating: " ", count: width - title.count + 2)
            guard value.isEmpty, let secret else {
                try output.result(start + value)
                continue
            }
            let bytes = Array(start.utf8)
            var line = SecretBytes(capacity: bytes.count + secret.count)
            _ = line.append(bytes.span) && secret.withBytes { line.append($0) }
            try output.line(of: Secret(line))
        }
        if secret != nil { output.note(messages.sentence("tool.application_secret_once")) }
        return .printed
    }
}

extension Installation {
    /// Calls the service for an operator about the application `id`, and emits an event for the change.
    @discardableResult
    fileprivate func administeringClients<Answer: Sendable>(
        _ id: String, _ call: (AccountService) async throws(AccountService.ClientRefusal) -> Answer
    ) async throws(ToolFailure) -> Answer {
        let result: Result<Answer, AccountService.ClientRefusal>
        do throws(AccountService.ClientRefusal) { result = .success(try await call(service)) } catch {
            result = .failure(error)
        }
        switch result {
        case .success(let answer):
            context.tellAdministered()
            return answer
        case .failure(let refusal): throw .application(try ApplicationFailure(refusal, id))
        }
    }
}
