import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets

/// `accounts set-password`: an operator fills in the password field of the sign-up form.
struct AccountsSetPasswordCommand {
    static let spec = CommandSpec(
        words: ["accounts", "set-password"], summary: "Set an account's password",
        about: "Set an account's password, end its sessions and codes, and notify the owner. NAME is a username, an"
            + " e-mail address or an id. Prefer accounts recover: afterwards only the owner knows the password.",
        operand: .account, form: .flow(.setup), onlyField: .password,
        flags: [
            FlagSpec("generate", "Generate a password, print it once; the owner changes it within a day"),
            FlagSpec("require-change", "Require another password at the next login"),
        ],
        hashesPasswords: true,
        statuses: [.done, .no, .data, .temporary] + ExitStatus.ofStores,
        examples: [
            "latchkey accounts set-password ada",
            "latchkey accounts set-password ada --generate",
            "printf '%s\\n' 'a first password' | latchkey accounts set-password ada --password-stdin --require-change",
        ]
    ) { (context) async throws(ToolFailure) in
        let command = AccountsSetPasswordCommand(context: context)
        return context.invocation.has("generate") ? try await command.generate() : try await command.run()
    }

    let context: CommandContext

    private func run() async throws(ToolFailure) -> CommandResult {
        let form = form()
        let values = try FieldFlags(of: context, form: form)
        let front = FlagsFront(form: form, values: values, messages: context.messages)
        let terminal = front.areComplete ? nil : Terminal(context)
        let credentials = terminal == nil ? try front.credentials() : nil
        let installation = try await Installation.open(context, creating: false)
        let account = try await installation.account(named: context.operand)
        let mustChangePassword = context.invocation.has("require-change")
        try await installation.filling(form, values, credentials, in: terminal) {
            (service, credentials) async throws(AccountError) in
            guard let password = credentials.secret(.password) else {
                throw .refused([RuleFailure(code: .required, field: .password)])
            }
            _ = try await service.setPassword(
                of: .id(account.id), to: password, mustChangePassword: mustChangePassword, by: .thisUser)
        }
        context.tellAdministered(account.id)
        await installation.service.deliverMessages()
        return .sentence("tool.password_set", ["username": .text(account.name)])
    }

    private func generate() async throws(ToolFailure) -> CommandResult {
        let form = form()
        try SecretEnvironment.refuse(for: form.fields, in: context.environment)
        let unwanted = context.invocation.flags.first { SecretSource.named(by: $0.name, in: form) != nil }
        if let unwanted { throw .secretUnwanted(flag: unwanted.name, other: "generate") }
        let installation = try await Installation.open(context, creating: false)
        let id = try await installation.account(named: context.operand).id
        let (account, password) = try await installation.administering(id) {
            (service, user) async throws(AccountError) in
            try await service.setGeneratedPassword(of: .id(id), by: user)
        }
        await installation.service.deliverMessages()
        context.output.note(context.messages.sentence("tool.password_set", ["username": .text(account.name)]))
        context.noteGeneratedPassword()
        return .secret(password, named: "generated_password")
    }

    private func form() -> Form {
        let setup = context.forms.form(for: .setup)
        return Form(
            id: "setPassword", title: context.messages.sentence("set_password.title"),
            submit: context.messages.sentence("set_password.submit"),
            fields: setup.fields.filter { $0.apiKey == .password })
    }
}

/// `accounts recover`: prints or sends a recovery code.
enum AccountsRecoverCommand {
    static let spec = CommandSpec(
        words: ["accounts", "recover"], summary: "Create a code to set a new password",
        about: "Create a code for reset-password and print it. It works once, for a day, and cannot be shown again."
            + " NAME is a username, an e-mail address or an id.",
        operand: .account,
        flags: [FlagSpec("send", "Send the code to the account's address and do not print it")],
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey accounts recover ada", "latchkey accounts recover ada --send"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false)
        let account = try await installation.account(named: context.operand)
        let isSent = context.invocation.has("send")
        let code = try await installation.administering(account.id) { (service, user) async throws(AccountError) in
            try await service.issueRecoveryCode(for: .id(account.id), isSent: isSent, by: user)
        }
        guard let code else {
            await installation.noteUndelivered()
            return .sent("tool.code_sent", orElse: "tool.code_unsent", to: account.email, installation)
        }
        return .secret(code, named: "recovery_code")
    }
}
