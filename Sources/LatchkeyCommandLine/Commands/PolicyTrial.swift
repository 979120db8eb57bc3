import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets

/// `policy test`: the service's verdict on one password, in the words in which every front tells it.
struct PolicyTrial {
    let context: CommandContext

    func perform() async throws(ToolFailure) {
        let setup = context.forms.form(for: .setup)
        let values = try FieldFlags(of: context, form: setup)
        let owner = try owner(values, setup)
        let password = try await password(values)
        let failure: RuleFailure?
        do throws(AccountError) {
            failure = try context.passwordPolicy.failure(of: password, in: owner)
        } catch {
            throw ToolFailure(error)
        }
        if let failure { throw ToolFailure.refusal([failure], in: setup, context.messages) }
        let name = context.settings.policy.name
        guard context.output.json else {
            return try context.output.result(context.messages.sentence("policy.passed", ["name": .text(name)]))
        }
        try context.output.success([("policy", .string(name)), ("valid", .bool(true))])
    }

    /// The set-up form's password without its rules: the policy alone has the word here.
    private func password(_ values: FieldFlags) async throws(ToolFailure) -> Secret {
        if let given = values.secrets[.password] { return given }
        let form = Form(
            id: "policyTest", title: context.messages.sentence("policy.ask"),
            submit: context.messages.sentence("policy.submit"), fields: [AnyPasswordField()])
        let front = FlagsFront(form: form, values: FieldFlags(texts: [:], secrets: [:]), messages: context.messages)
        let answers =
            if let terminal = Terminal(context) { try await terminal.ask(form, front.values) } else {
                try front.credentials()
            }
        guard let password = answers.secret(.password) else { throw .internal }
        return password
    }

    /// Whose password it would be.
    private func owner(_ values: FieldFlags, _ form: Form) throws(ToolFailure) -> PasswordContext {
        var texts: [String: String] = [:]
        for (key, bytes) in values.texts {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw ToolFailure.refusal([RuleFailure(code: .invalidUTF8, field: key)], in: form, context.messages)
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
