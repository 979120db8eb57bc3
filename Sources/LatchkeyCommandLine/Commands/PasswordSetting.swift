import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets

/// `accounts set-password`: the password field of the set-up form, filled in by an operator.
struct PasswordSetting {
    let run: Run

    func perform() async throws(ToolFailure) {
        if run.invocation.has("generate") { return try await generate() }
        let form = form()
        let values = try FieldFlags(of: run, form: form)
        let front = FlagsFront(form: form, values: values, messages: run.messages)
        let terminal = front.areComplete ? nil : Terminal(run)
        var credentials = terminal == nil ? try front.credentials() : nil
        let installation = try await Installation.open(run, creating: false)
        let account = try await installation.account(named: run.operand)
        if let terminal { credentials = try await terminal.ask(form, values) }
        guard let password = credentials?.secret(.password) else { throw ToolFailure(.software, "internal") }
        try await set(password, of: account, form, installation)
        await installation.service.deliverMessages()
        try run.output.done(
            run.messages.sentence("tool.password_set", ["username": .text(account.username.typed)]))
    }

    private func generate() async throws(ToolFailure) {
        let fields = form().fields
        try SecretEnvironment.refuse(for: fields, in: run.environment)
        let unwanted = run.invocation.flags.first { SecretSource.named(by: $0.name, in: form()) != nil }
        if let unwanted {
            throw ToolFailure(.usage, "secret_unwanted", ["flag": .text(unwanted.name), "other": .text("generate")])
        }
        let installation = try await Installation.open(run, creating: false)
        let id = try await installation.account(named: run.operand).id
        let (account, password) = try await installation.administering(id) {
            (service, user) async throws(AccountError) in
            try await service.setGeneratedPassword(of: .id(id), by: user)
        }
        await installation.service.deliverMessages()
        run.output.note(run.messages.sentence("tool.password_set", ["username": .text(account.username.typed)]))
        run.noteGeneratedPassword()
        try run.output.secret(password, named: "generated_password")
    }

    private func set(
        _ password: Secret, of account: Account, _ form: Form, _ installation: Installation
    ) async throws(ToolFailure) {
        _ = try await installation.administering(account.id, about: form) {
            (service, user) async throws(AccountError) in
            try await service.setPassword(
                of: .id(account.id), to: password, mustChangePassword: run.invocation.has("require-change"), by: user)
        }
    }

    private func form() -> Form {
        let setup = run.forms.form(for: .setup)
        return Form(
            id: "setPassword", title: run.messages.sentence("set_password.title"),
            submit: run.messages.sentence("set_password.submit"),
            fields: setup.fields.filter { $0.apiKey == .password })
    }
}
