import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets

/// `applications remove`: in a terminal, the operator must type the ID first.
enum ApplicationsRemoveCommand {
    static let spec = CommandSpec(
        words: ["applications", "remove"], summary: "Remove an application",
        about:
            "Remove the application ID with its consents and tokens, which ends all logins to it. In a terminal you"
            + " type the ID to confirm; elsewhere --yes is required.",
        operand: CommandSpec.Operand(name: "ID", isRequired: true),
        flags: [FlagSpec("yes", "Do not ask for confirmation")], statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey applications remove wiki --yes", "latchkey applications remove wiki --yes --json"]
    ) { (context) async throws(ToolFailure) in
        let id = try context.applicationID().text
        let terminal = context.invocation.has("yes") ? nil : Terminal(context)
        guard terminal != nil || context.invocation.has("yes") else { throw .yesNeeded }
        let installation = try await Installation.open(context, creating: false)
        if let terminal {
            let found = try await installation.asking { (service) async throws(AccountError) in
                try await service.client(id)
            }
            guard let client = found else { throw .application(.unknown(id: id)) }
            try await confirm(client, context, in: terminal)
        }
        try await installation.administeringClients(id) { (service) async throws(AccountService.ClientRefusal) in
            try await service.removeClient(id, by: .thisUser)
        }
        return .sentence("tool.application_removed", ["id": .text(id)], json: [("client_id", .string(id))])
    }

    private static func confirm(
        _ client: Client, _ context: CommandContext, in terminal: Terminal
    ) async throws(ToolFailure) {
        let values: [String: RuleFailure.Value] = ["id": .text(client.id), "name": .text(client.settings.name)]
        let form = Form(
            id: "deletion", title: context.messages.sentence("menu.remove_application", values),
            submit: context.messages.sentence("menu.remove_application_submit"),
            // The field has no rules, because any other input cancels the removal.
            fields: [
                DeletionField(request: context.messages.sentence("menu.remove_application_confirmation", values))
            ])
        let typed = try await terminal.ask(form, FieldFlags()).text(DeletionField.key)
        guard typed == client.id else { throw .otherNameTyped(username: client.id) }
    }
}
