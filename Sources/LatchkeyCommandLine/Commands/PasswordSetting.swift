import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets

/// `accounts set-password`: the password field of the set-up form, filled in by an operator.
struct PasswordSetting {
    let run: Run

    func perform() async throws(ToolFailure) {
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

    private func set(
        _ password: Secret, of account: Account, _ form: Form, _ installation: Installation
    ) async throws(ToolFailure) {
        do throws(AccountError) {
            _ = try await installation.service.setPassword(
                of: .id(account.id), to: password, mustChangePassword: run.invocation.has("require-change"),
                by: .thisUser)
        } catch .refused(let failures) {
            throw ToolFailure.refusal(failures, in: form, run.messages)
        } catch {
            throw ToolFailure(error)
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
