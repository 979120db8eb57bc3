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
        flags: ApplicationFlags.ofNew + [
            FlagSpec("secret-file", value: "PATH", "The secret that the application has already, in the first line")
        ], readsForms: true, isOfService: true, statuses: [.done, .no, .data, .exists] + ExitStatus.ofStores,
        examples: [
            "latchkey applications add wiki --redirect https://wiki.example.org/cb",
            "latchkey applications add tool --public --grant device,refresh --json",
        ]
    ) { (context) async throws(ToolFailure) in
        let parts = try context.openIDParts()
        let id = try context.applicationID()
        let settings = try context.changed(
            ClientSettings(of: id), by: try ApplicationFlags.json(context.invocation, of: id),
            naming: ApplicationFlags.name)
        if settings.isPublic, context.invocation.has("secret-file") {
            throw .flagsExclude(flag: "public", other: "secret-file")
        }
        let path = try context.invocation.path("secret-file")
        let given = try path.map { (path) throws(ToolFailure) in
            try context.clientSecret(in: path, named: "--secret-file")
        }
        let installation = try await Installation.open(context, creating: true)
        let (client, secret) = try await installation.administeringClients(id.text) {
            (service) async throws(AccountService.ClientRefusal) in
            try await service.addClient(id.text, settings, secret: given, by: .thisUser)
        }
        let sheet = ApplicationSheet(client, parts, context)
        if let secret {
            try await context.disclose { (output) throws(ToolFailure) in
                try sheet.show(on: output, with: secret)
            } orUndo: { () async throws(ToolFailure) in
                try await installation.administeringClients(id.text) {
                    (service) async throws(AccountService.ClientRefusal) in
                    try await service.removeClient(id.text, by: .thisUser)
                }
            }
            context.output.note(context.messages.sentence("tool.application_secret_once"))
        } else {
            try sheet.show(on: context.output)
        }
        try await installation.noteUnknownGroups(parts.groups(settings), of: id.text)
        return .printed
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
                    .id(client.id), .text(client.settings.name),
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
        about: "Show the settings of the application ID, and the addresses of Latchkey to enter in the application.",
        operand: CommandSpec.Operand(name: "ID", isRequired: true), flags: [.utc], isOfService: true,
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey applications show wiki", "latchkey applications show wiki --json"]
    ) { (context) async throws(ToolFailure) in
        let parts = try context.openIDParts()
        let id = try context.applicationID().text
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        let found = try await installation.asking { (service) async throws(AccountError) in try await service.client(id)
        }
        guard let client = found else { throw .application(.unknown(id: id)) }
        return try ApplicationSheet(client, parts, context, isComplete: true).show(on: context.output)
    }
}

/// `applications update`: changes the settings of an application.
enum ApplicationsUpdateCommand {
    static let spec = CommandSpec(
        words: ["applications", "update"], summary: "Change an application",
        about:
            "Change the settings that the flags give. A list, such as --redirect, replaces the earlier one. An empty value,"
            + " as in --group '', restores the default.",
        operand: CommandSpec.Operand(name: "ID", isRequired: true),
        flags: ApplicationFlags.ofChange + [
            FlagSpec("drop-secrets", "Delete the secrets of an application that becomes public")
        ], readsForms: true, isOfService: true, statuses: [.done, .no, .data] + ExitStatus.ofStores,
        examples: [
            "latchkey applications update wiki --redirect https://wiki.example.org/login",
            "latchkey applications update wiki --require aal2 --json",
        ]
    ) { (context) async throws(ToolFailure) in
        let parts = try context.openIDParts()
        let clientID = try context.applicationID()
        let (id, json) = (clientID.text, try ApplicationFlags.json(context.invocation, of: clientID))
        guard case .object(let members) = json, !members.isEmpty else { throw .updateNothing }
        let installation = try await Installation.open(context, creating: false)
        let (forms, keys) = (context.forms, Set(members.map(\.key)))
        let dropsSecrets = context.invocation.has("drop-secrets")
        let client = try await installation.administeringClients(id) {
            (service) async throws(AccountService.ClientRefusal) in
            try await service.updateClient(id, droppingSecrets: dropsSecrets, by: .thisUser) {
                (client) throws(AccountService.ClientRefusal) in
                try client.applySettings(json)
                if let problem = parts.problem(client.settings, keys, forms) { throw .refused(problem) }
            }
        }
        try await installation.noteUnknownGroups(parts.groups(client.settings), of: id)
        if !client.settings.isPublic, client.secretCount == 0 {
            context.output.note(context.messages.sentence("tool.application_no_secret", ["id": .text(id)]))
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
        let id = try context.applicationID().text
        let installation = try await Installation.open(context, creating: false)
        guard !context.invocation.has("retire") else {
            try await installation.administeringClients(id) { (service) async throws(AccountService.ClientRefusal) in
                try await service.retireClientSecret(of: id, by: .thisUser)
            }
            return .sentence("tool.application_secret_retired", ["id": .text(id)], json: [("client_id", .string(id))])
        }
        let secret = try await installation.administeringClients(id) {
            (service) async throws(AccountService.ClientRefusal) in
            try await service.addClientSecret(to: id, by: .thisUser).secret
        }
        try await context.disclose { (output) throws(ToolFailure) in
            try output.show(
                .secret(secret, named: "client_secret", json: [("client_id", .string(id))]), context.messages)
        } orUndo: { () async throws(ToolFailure) in
            try await installation.administeringClients(id) { (service) async throws(AccountService.ClientRefusal) in
                try await service.withdraw(secret, of: id, by: .thisUser)
            }
        }
        return .printed
    }
}

/// `applications disable|enable|unpin`: changes the state of an application.
enum ApplicationsStateCommand {
    static let disable = spec(
        "disable", "tool.application_disabled", "Disable an application",
        about: "Refuse all logins and tokens of the application ID until it is enabled again."
    ) { (service, id) async throws(AccountService.ClientRefusal) in
        try await service.updateClient(id, by: .thisUser) { $0.isDisabled = true }
        return nil
    }

    static let enable = spec(
        "enable", "tool.application_enabled", "Enable an application", about: "Enable an application that was disabled."
    ) {
        (service, id) async throws(AccountService.ClientRefusal) in
        try await service.updateClient(id, by: .thisUser) { $0.isDisabled = false }
        return nil
    }

    static let unpin = spec(
        "unpin", "tool.application_unpinned", "Accept logins without PKCE again",
        about:
            "Once an application has used PKCE in \(Client.pinningLogins) logins, a login without PKCE is refused, because"
            + " it could come from an attacker. Accept such logins until there are \(Client.pinningLogins) with PKCE again."
    ) { (service, id) async throws(AccountService.ClientRefusal) in
        let client = try await service.updateClient(id, by: .thisUser) { $0.unpin() }
        return client.requiresPKCE ? "tool.application_needs_pkce" : nil
    }

    /// - Parameter change: returns the sentence to print instead of `sentence`; nil for that.
    private static func spec(
        _ word: String, _ sentence: String, _ summary: String, about: String,
        _ change: @escaping @Sendable (AccountService, String) async throws(AccountService.ClientRefusal) -> String?
    ) -> CommandSpec {
        CommandSpec(
            words: ["applications", word], summary: summary, about: about,
            operand: CommandSpec.Operand(name: "ID", isRequired: true), statuses: [.done, .no] + ExitStatus.ofStores,
            examples: ["latchkey applications \(word) wiki", "latchkey applications \(word) wiki --json"]
        ) { (context) async throws(ToolFailure) in
            let id = try context.applicationID().text
            let installation = try await Installation.open(context, creating: false)
            let other = try await installation.administeringClients(id) {
                (service) async throws(AccountService.ClientRefusal) in try await change(service, id)
            }
            return .sentence(other ?? sentence, ["id": .text(id)], json: [("client_id", .string(id))])
        }
    }
}

extension CommandContext {
    func openIDParts() throws(ToolFailure) -> OpenIDParts {
        guard let parts = parts?.openID else { throw .internal }
        return parts
    }

    /// The ID of an application in the operand.
    func applicationID() throws(ToolFailure) -> ClientID {
        guard let id = operand.flatMap(ClientID.init) else { throw .application(.badID(id: operand ?? "")) }
        return id
    }

    /// The settings with the members of `json`, checked with the forms of this run.
    ///
    /// - Parameter name: names a setting in messages.
    func changed(
        _ settings: ClientSettings, by json: JSONValue, naming name: (String) -> String
    ) throws(ToolFailure) -> ClientSettings {
        var settings = settings
        do throws(ClientSettingsFailure) { try settings.apply(json) } catch {
            throw .application(ApplicationFailure(error, naming: name))
        }
        if let problem = try openIDParts().problem(settings, Set(ClientSettings.keys), forms) {
            throw .application(ApplicationFailure(problem, naming: name))
        }
        return settings
    }
}

extension Installation {
    /// Calls the service for an operator about the application `id`, and emits an event for the change.
    @discardableResult
    func administeringClients<Answer: Sendable>(
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

    /// Warns of groups that do not exist. They may be created later.
    func noteUnknownGroups(_ names: [String], of id: String) async throws(ToolFailure) {
        for name in try await asking({ (service) async throws(AccountError) in try await service.unknownGroups(names) })
        {
            context.output.note(
                context.messages.sentence("tool.application_group_unknown", ["name": .text(name), "id": .text(id)]))
        }
    }
}
