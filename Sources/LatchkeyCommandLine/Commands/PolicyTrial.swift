import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets

/// `policy test`: the service's verdict on one password, in the words in which every front tells it.
struct PolicyTrial {
    let run: Run

    func perform() async throws(ToolFailure) {
        let setup = run.forms.form(for: .setup)
        let values = try FieldFlags(of: run, form: setup)
        let context = try context(values, setup)
        let password = try await password(values)
        let failure: RuleFailure?
        do throws(AccountError) {
            failure = try run.passwordPolicy.failure(of: password, in: context)
        } catch {
            throw ToolFailure(error)
        }
        if let failure { throw ToolFailure.refusal([failure], in: setup, run.messages) }
        let name = run.settings.policy.name
        guard run.output.json else {
            return try run.output.result(run.messages.sentence("policy.passed", ["name": .text(name)]))
        }
        try run.output.success([("policy", .string(name)), ("valid", .bool(true))])
    }

    /// The set-up form's password without its rules: the policy alone has the word here.
    private func password(_ values: FieldFlags) async throws(ToolFailure) -> Secret {
        if let given = values.secrets[.password] { return given }
        let form = Form(
            id: "policyTest", title: run.messages.sentence("policy.ask"),
            submit: run.messages.sentence("policy.submit"), fields: [AnyPasswordField()])
        let front = FlagsFront(form: form, values: FieldFlags(texts: [:], secrets: [:]), messages: run.messages)
        let answers =
            if let terminal = Terminal(run) { try await terminal.ask(form, front.values) } else {
                try front.credentials()
            }
        guard let password = answers.secret(.password) else { throw ToolFailure(.software, "internal") }
        return password
    }

    /// Whose password it would be.
    private func context(_ values: FieldFlags, _ form: Form) throws(ToolFailure) -> PasswordContext {
        var texts: [String: String] = [:]
        for (key, bytes) in values.texts {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw ToolFailure.refusal([RuleFailure(code: .invalidUTF8, field: key)], in: form, run.messages)
            }
            texts[key.rawValue] = text
        }
        let username = texts.removeValue(forKey: FieldKey.username.rawValue)
        let email = texts.removeValue(forKey: FieldKey.email.rawValue)
        var context = PasswordContext(username: username ?? "", email: email ?? "", attributes: texts)
        context.username = username
        context.email = email
        return context
    }
}

/// A password of which nothing is asked but that there is one.
private struct AnyPasswordField: FormTextField {
    let apiKey = FieldKey.password
    let placeholder = "Password"
    let isSecret = true
}
