import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets

/// `policy test`: the policy's verdict on one password.
struct PolicyTestCommand {
    static let spec = CommandSpec(
        words: ["policy", "test"], summary: "Test a password against the policy",
        about:
            "Test one password against the current policy. The other flags describe its owner, because a password must"
            + " not be derived from them. Does not open the store or print the password.",
        form: .flow(.setup),
        statuses: [.done, .usage, .data, .noInput, .system, .inputOutput, .configuration],
        examples: [
            "latchkey policy test --username ada --email ada@example.org",
            "printf '%s\\n' 'correct horse battery' | latchkey policy test --policy nist --password-stdin",
        ]
    ) { (context) async throws(ToolFailure) in try await PolicyTestCommand(context: context).run() }

    let context: CommandContext

    private func run() async throws(ToolFailure) -> CommandResult {
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
        return .sentence(
            "policy.passed", ["name": .text(name)], json: [("policy", .string(name)), ("valid", .bool(true))])
    }

    /// The password, without the rules of the sign-up form: only the policy counts here.
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

    /// The password's owner, as far as flags describe it.
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

/// A password without rules.
private struct AnyPasswordField: FormTextField {
    let apiKey = FieldKey.password
    let placeholder = "Password"
    let isSecret = true
}
