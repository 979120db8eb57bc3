import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets

/// `accounts set-password`: the password field of the set-up form, filled in by an operator.
struct PasswordSetting {
    let context: CommandContext

    func perform() async throws(ToolFailure) {
        if context.invocation.has("generate") { return try await generate() }
        let form = form()
        let values = try FieldFlags(of: context, form: form)
        let front = FlagsFront(form: form, values: values, messages: context.messages)
        let terminal = front.areComplete ? nil : Terminal(context)
        var credentials = terminal == nil ? try front.credentials() : nil
        let installation = try await Installation.open(context, creating: false)
        let account = try await installation.account(named: context.operand)
        if let terminal { credentials = try await terminal.ask(form, values) }
        guard let password = credentials?.secret(.password) else { throw .internal }
        try await set(password, of: account, form, installation)
        await installation.service.deliverMessages()
        try context.output.done(
            context.messages.sentence("tool.password_set", ["username": .text(account.username.typed)]))
    }

    private func generate() async throws(ToolFailure) {
        let fields = form().fields
        try SecretEnvironment.refuse(for: fields, in: context.environment)
        let unwanted = context.invocation.flags.first { SecretSource.named(by: $0.name, in: form()) != nil }
        if let unwanted {
            throw .secretUnwanted(flag: unwanted.name, other: "generate")
        }
        let installation = try await Installation.open(context, creating: false)
        let id = try await installation.account(named: context.operand).id
        let (account, password) = try await installation.administering(id) {
            (service, user) async throws(AccountError) in
            try await service.setGeneratedPassword(of: .id(id), by: user)
        }
        await installation.service.deliverMessages()
        context.output.note(context.messages.sentence("tool.password_set", ["username": .text(account.username.typed)]))
        context.noteGeneratedPassword()
        try context.output.secret(password, named: "generated_password")
    }

    private func set(
        _ password: Secret, of account: Account, _ form: Form, _ installation: Installation
    ) async throws(ToolFailure) {
        _ = try await installation.administering(account.id, about: form) {
            (service, user) async throws(AccountError) in
            try await service.setPassword(
                of: .id(account.id), to: password, mustChangePassword: context.invocation.has("require-change"),
                by: user)
        }
    }

    private func form() -> Form {
        let setup = context.forms.form(for: .setup)
        return Form(
            id: "setPassword", title: context.messages.sentence("set_password.title"),
            submit: context.messages.sentence("set_password.submit"),
            fields: setup.fields.filter { $0.apiKey == .password })
    }
}
