import LatchkeyAccounts
import LatchkeyForms

/// `accounts delete`: a terminal asks for the username first.
struct AccountsDeleteCommand {
    static let spec = CommandSpec(
        words: ["accounts", "delete"], summary: "Delete an account",
        about: "Delete an account with its sessions and codes. NAME is a username, an e-mail address or an id. In a"
            + " terminal you type the username to confirm; elsewhere --yes is required.",
        operand: .account, flags: [FlagSpec("yes", "Do not ask for confirmation")],
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey accounts delete ada", "latchkey accounts delete ada --yes"]
    ) { (context) async throws(ToolFailure) in try await AccountsDeleteCommand(context: context).run() }

    let context: CommandContext

    private func run() async throws(ToolFailure) -> CommandResult {
        let terminal = context.invocation.has("yes") ? nil : Terminal(context)
        guard terminal != nil || context.invocation.has("yes") else { throw .yesNeeded }
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        let account = try await installation.account(named: context.operand)
        let name = account.username.typed
        if let terminal {
            let typed = try await terminal.ask(form(naming: name), FieldFlags(texts: [:], secrets: [:]))
            guard let text = typed.text(NameField.key), Username(mapping: text) == account.username else {
                throw .cancelled(isShown: false)
            }
        }
        try await installation.administering(account.id) { (service, user) async throws(AccountError) in
            try await service.delete(.id(account.id), by: user)
        }
        return .sentence("tool.account_deleted", ["username": .text(name)])
    }

    private func form(naming name: String) -> Form {
        Form(
            id: "deletion", title: context.messages.sentence("menu.delete", ["username": .text(name)]),
            submit: context.messages.sentence("menu.delete_account"),
            fields: [
                NameField(
                    placeholder: context.messages.sentence("menu.delete_confirmation", ["username": .text(name)]))
            ])
    }

    /// It has no rules: any other text cancels.
    private struct NameField: FormTextField {
        static let key: FieldKey = "name"
        let apiKey = Self.key
        let placeholder: String
    }
}
