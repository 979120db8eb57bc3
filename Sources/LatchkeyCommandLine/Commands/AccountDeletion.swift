import LatchkeyAccounts
import LatchkeyForms

/// `accounts delete`: on a terminal, after the name has been typed.
struct AccountDeletion {
    let run: Run

    func perform() async throws(ToolFailure) {
        let terminal = run.invocation.has("yes") ? nil : Terminal(run)
        guard terminal != nil || run.invocation.has("yes") else { throw ToolFailure(.usage, "yes_needed") }
        let installation = try await Installation.open(run, creating: false, checkingKeys: false)
        let account = try await installation.account(named: run.operand)
        let name = account.username.typed
        if let terminal {
            let typed = try await terminal.ask(form(naming: name), FieldFlags(texts: [:], secrets: [:]))
            guard let text = typed.text(NameField.key), Username(mapping: text) == account.username else {
                throw ToolFailure(.no, "cancelled")
            }
        }
        try await installation.delete(account)
        try run.output.done(run.messages.sentence("tool.account_deleted", ["username": .text(name)]))
    }

    private func form(naming name: String) -> Form {
        Form(
            id: "deletion", title: run.messages.sentence("menu.delete", ["username": .text(name)]),
            submit: run.messages.sentence("menu.delete_account"),
            fields: [NameField(placeholder: run.messages.sentence("menu.delete_name"))])
    }

    /// Whatever else is typed is no failure to be mended, but a no.
    private struct NameField: FormTextField {
        static let key: FieldKey = "name"
        let apiKey = Self.key
        let placeholder: String
    }
}
