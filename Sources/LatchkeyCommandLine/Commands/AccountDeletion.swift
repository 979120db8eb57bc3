import LatchkeyAccounts
import LatchkeyForms

/// `accounts delete`: on a terminal, after the name has been typed.
struct AccountDeletion {
    let context: CommandContext

    func perform() async throws(ToolFailure) {
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
        try await installation.delete(account)
        try context.output.done(context.messages.sentence("tool.account_deleted", ["username": .text(name)]))
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

    /// Whatever else is typed is no failure to be mended, but a no.
    private struct NameField: FormTextField {
        static let key: FieldKey = "name"
        let apiKey = Self.key
        let placeholder: String
    }
}
