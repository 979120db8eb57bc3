import LatchkeyAccounts
import LatchkeyForms

/// `accounts disable|enable|unlock|require-change`: one change to one account, by an operator.
enum AccountsStateCommand {
    static let disable = spec(
        "disable", summary: "Disable an account",
        about:
            "Disable an account. Its sessions and codes end at once, and a login fails as if the password were wrong."
    ) { (service, id, _, user) async throws(AccountError) in
        try await service.set(.disabled, of: id, by: user)
        return "tool.account_disabled"
    }

    static let enable = spec(
        "enable", summary: "Enable an account", about: "Enable an account that was disabled."
    ) { (service, id, _, user) async throws(AccountError) in
        try await service.set(.active, of: id, by: user)
        return "tool.account_enabled"
    }

    static let unlock = spec(
        "unlock", summary: "Unlock an account",
        about: "End the delay after failed logins. accounts show reports it."
    ) { (service, id, _, user) async throws(AccountError) in
        try await service.unlock(id, by: user)
        return try await service.throttle(of: id).demandsRecovery
            ? "tool.account_unlocked_in_vain" : "tool.account_unlocked"
    }

    static let requireChange = spec(
        "require-change", summary: "Require a new password",
        about: "Require the owner to choose another password before using the account for anything else.",
        flags: [FlagSpec("compromised", "End the sessions too: someone else may know the password")]
    ) { (service, id, context, user) async throws(AccountError) in
        try await service.requirePasswordChange(
            of: id, isCompromised: context.invocation.has("compromised"), by: user)
        return "tool.change_required"
    }

    /// - Parameter change: changes the account and returns the code of the sentence that reports it.
    private static func spec(
        _ word: String, summary: String, about: String, flags: [FlagSpec] = [],
        _ change:
            @escaping @Sendable (
                AccountService, AccountLookup, CommandContext, AuditActor
            ) async throws(AccountError) -> String
    ) -> CommandSpec {
        CommandSpec(
            words: ["accounts", word], summary: summary,
            about: about + " NAME is a username, an e-mail address or an id.",
            operand: .account, flags: flags, statuses: [.done, .no] + ExitStatus.ofStores,
            examples: ["latchkey accounts \(word) ada", "latchkey accounts \(word) ada@example.org --json"]
        ) { (context) async throws(ToolFailure) in
            let installation = try await Installation.open(context, creating: false)
            let account = try await installation.account(named: context.operand)
            let sentence = try await installation.administering(account.id) {
                (service, user) async throws(AccountError) in
                try await change(service, .id(account.id), context, user)
            }
            await installation.service.deliverMessages()
            return .sentence(sentence, ["username": .text(account.name)])
        }
    }
}

/// `accounts delete`: a terminal asks for the login name first.
struct AccountsDeleteCommand {
    static let spec = CommandSpec(
        words: ["accounts", "delete"], summary: "Delete an account",
        about: "Delete an account with its sessions and codes. NAME is a username, an e-mail address or an id. In a"
            + " terminal you type the username or address to confirm; elsewhere --yes is required.",
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
        let name = account.name
        if let terminal {
            let typed = try await terminal.ask(form(naming: name), FieldFlags(texts: [:], secrets: [:]))
            guard let text = typed.text(NameField.key), LoginName(mapping: text) == account.loginName else {
                throw .otherNameTyped(username: name)
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
