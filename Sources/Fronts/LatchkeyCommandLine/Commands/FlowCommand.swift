import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import LatchkeySecrets
import LatchkeySystem

/// Runs one flow as a command: only with flags, or with prompts for missing values. The command ends when the flow
/// succeeds.
struct FlowCommand {
    static let login = spec(
        .login, summary: "Log in",
        about:
            "Log in with a username or e-mail address and a password, and store the session for this user. NAME is the"
            + " same as --username. If the account has a second factor, a terminal asks for its code, and a script gives it"
            + " with --code-stdin. With --batch, verify many logins without signing anyone in. With --print-token, print the session's token for"
            + " another program instead.",
        statuses: [.no, .data, .temporary],
        examples: [
            "latchkey login", "latchkey login ada",
            "printf '%s\\n' 'correct horse battery' | latchkey login --username ada --password-stdin",
            "latchkey login --batch logins.jsonl --jobs 2 --json",
            "printf '%s\\n' \"$PASSWORD\" | latchkey login --username ada --password-stdin --print-token",
            "printf '%s\\n' \"$PASSWORD\" \"$CODE\" | latchkey login ada --password-stdin --code-stdin",
        ],
        flags: [
            FlagSpec("no-rehash", "Do not rehash an outdated password hash"),
            FlagSpec("allow-downgrade", "Rehash even if new hashes are cheaper"),
            FlagSpec(
                "batch", value: "FILE", "Verify each line {\"username\":…,\"password\":…}; - is standard input"),
            FlagSpec("jobs", value: "N", "Verify N lines at once, 1 to 64 [1]"),
            FlagSpec("print-token", "Print the token of the new session and do not store it for this user"),
        ] + FlagSpec.flags(for: FactorCodeField()), operand: CommandSpec.Operand(name: "NAME", isRequired: false)
    ) { (context) async throws(ToolFailure) in
        guard context.invocation.has("batch") || context.invocation.has("jobs") else {
            return try await FlowCommand(type: .login, context: context).run()
        }
        return try await LoginBatchCommand(context: context).run()
    }

    static let setup = spec(
        .setup, summary: "Sign up", about: "Create an account for yourself. Creates the store if there is none.",
        statuses: [.data, .exists, .temporary],
        examples: [
            "latchkey setup",
            "printf '%s\\n' 'correct horse battery'"
                + " | latchkey setup --username ada --email ada@example.org --password-stdin",
        ]
    ) { (context) async throws(ToolFailure) in
        let command = FlowCommand(type: .setup, context: context)
        guard context.settings.verifiesEmail, context.server == nil else { return try await command.run() }
        // The owner of the address chooses the password later, with the code that is sent to the address.
        return try await command.run(with: context.setupFormWithoutPassword { .passwordLater(flag: $0) })
    }

    static let forgotPassword = spec(
        .forgotPassword, summary: "Ask for a code to set a new password",
        about: "Send a code to the account's address. The answer is the same whether or not there is an account.",
        statuses: [.data],
        examples: ["latchkey forgot-password", "latchkey forgot-password --email ada@example.org"])

    static let resetPassword = spec(
        .resetPassword, summary: "Set a new password with a code",
        about: "Set a new password with the code from the message, and end every session of the account.",
        statuses: [.data, .temporary],
        examples: [
            "latchkey reset-password",
            "printf '%s\\n' \"$CODE\" 'a new long password' | latchkey reset-password --code-stdin --password-stdin",
        ])

    static let changePassword = spec(
        .changePassword, summary: "Change your password",
        about: "Change your password. Requires the current one, and ends every other session of the account.",
        statuses: [.no, .data, .temporary],
        examples: [
            "latchkey change-password",
            "printf '%s\\n' \"$OLD\" \"$NEW\" | latchkey change-password --current-password-stdin --password-stdin",
        ])

    static let deleteAccount = spec(
        .deleteAccount, summary: "Delete your account",
        about: "Delete your account and everything stored for it. Requires the password; a message confirms it.",
        statuses: [.no, .data, .temporary],
        examples: [
            "latchkey delete-account",
            "printf '%s\\n' 'correct horse battery' | latchkey delete-account --current-password-stdin",
        ])

    let type: AccountType
    let context: CommandContext

    /// - Parameter form: the form to use instead of the flow's form.
    func run(with form: Form? = nil) async throws(ToolFailure) -> CommandResult {
        let form = form ?? context.forms.form(for: type)
        let values = try FieldFlags(of: context, form: type == .login ? form.takingFactorCode : form)
        let front = FlagsFront(form: form, values: values, messages: context.messages)
        let terminal = front.areComplete ? nil : Terminal(context)
        let credentials = terminal == nil ? try front.credentials() : nil
        let owner = try await context.owner(creating: type == .setup)
        let printed = context.invocation.has("print-token") ? TokenHolder() : nil
        let live = type.traits.token == .session ? try await owner.liveSession() : nil
        // Checked before the password is verified. Other flows with a session have already looked for its folder.
        if type == .login, printed == nil { _ = try context.settings.sessionFolder() }
        var dependency = owner.dependency(storingIn: printed)
        dependency.forms = dependency.forms.replacing(form)
        if type == .deleteAccount, terminal != nil, let live {
            dependency = dependency.confirmingDeletion(of: live.account.name)
        }
        let coordinator = AccountCoordinator(dependency: dependency, opening: type, until: .success(of: type))
        if let terminal {
            let (last, response) = try await terminal.run(coordinator, values)
            if let printed { return try await owner.result(of: response, with: printed, about: form) }
            // The terminal has already shown the sentence.
            guard context.output.json else { return .printed }
            return try context.result(of: response, in: type, about: dependency.forms.form(for: last))
        }
        guard let credentials else { throw .internal }
        // In a recovery, the field `code` is the recovery code.
        let code = type == .login ? values.bytes(.code) : nil
        let (last, response) = await coordinator.run(credentials, type, code: code)
        await owner.deliverMessages()
        let shown = last == type ? form : context.forms.form(for: last)
        if let printed { return try await owner.result(of: response, with: printed, about: shown) }
        if let failure = owner.failure(behind: response) { throw failure }
        return try context.result(of: response, in: type, about: shown, email: credentials.text(.email))
    }

    /// - Parameter run: replaces running the flow alone; nil for the default.
    static func spec(
        _ type: AccountType, summary: String, about: String, statuses: [ExitStatus], examples: [String],
        flags: @autoclosure @escaping @Sendable () -> [FlagSpec] = [], operand: CommandSpec.Operand? = nil,
        run: (@Sendable (CommandContext) async throws(ToolFailure) -> CommandResult)? = nil
    ) -> CommandSpec {
        let flow: @Sendable (CommandContext) async throws(ToolFailure) -> CommandResult = {
            (context) async throws(ToolFailure) in try await FlowCommand(type: type, context: context).run()
        }
        return CommandSpec(
            words: [type.traits.slug], summary: summary, about: about, operand: operand, form: .flow(type),
            operandIsLoginName: operand != nil, keepsFlagOfOperand: true,
            flags: flags() + [.source], hashesPasswords: type.traits.hashing == .stores, worksOverServer: true,
            statuses: [.done] + statuses + ExitStatus.ofStores, examples: examples, run: run ?? flow)
    }
}

/// The code of the second factor, for the flags of `login`.
private struct FactorCodeField: FormTextField {
    let apiKey = FieldKey.code
    let placeholder = "Code of the second factor"
    let isSecret = true
    let isOptional = true
}

extension Form {
    /// A copy of the form with a field for the code of the second factor.
    fileprivate var takingFactorCode: Form {
        guard field(.code) == nil else { return self }
        return Form(id: id, title: title, submit: submit, links: links, fields: fields + [FactorCodeField()])
    }
}

extension AccountCoordinator {
    /// Runs a flow. If the account has a second factor and there is a code for it, runs the second step too.
    ///
    /// - Returns: the response, and the flow that received it.
    fileprivate func run(
        _ credentials: Credentials, _ type: AccountType, code: Secret?
    ) async -> (AccountType, NetworkResponse) {
        let (destination, response) = await userProvidedValidated(credentials: credentials, type: type)
        guard destination == .push(.secondFactor), let code else { return (type, response ?? .unavailable(.internal)) }
        let (_, last) = await userProvidedValidated(
            credentials: Credentials([.code: .secret(code)]), type: .secondFactor)
        return (.secondFactor, last ?? .unavailable(.internal))
    }
}

extension AccountOwner {
    /// The token of a login that received `response`. If it is a session whose token is not printed, ends the session.
    fileprivate func result(
        of response: NetworkResponse, with holder: TokenHolder, about form: Form
    ) async throws(ToolFailure) -> CommandResult {
        let token = holder.token()
        do throws(ToolFailure) { _ = try context.result(of: response, in: .login, about: form) } catch {
            if let token {
                _ = try? await asking(with: token) { (client, token) async throws(ClientError) in
                    try await client.endSession(of: token)
                }
            }
            throw error
        }
        guard let token else { throw .internal }
        return .secret(token, named: "token", of: response)
    }
}

extension CommandContext {
    /// The result of a flow that received `response`.
    ///
    /// - Parameter form: the completed form. Each refused field is reported with its flag.
    /// - Throws: the failure, if the response is not a success.
    func result(
        of response: NetworkResponse, in type: AccountType, about form: Form, email: String? = nil
    ) throws(ToolFailure) -> CommandResult {
        if !output.json, let notice = response.notice(messages) { output.note(notice) }
        guard response.outcome == .success else {
            throw ToolFailure(response, in: form, messages, operand: invocation.operandField(of: form))
        }
        return .answer(response, sentence: sentence(of: response, in: type, email: email))
    }

    /// The message for people after a flow's success.
    func sentence(of response: NetworkResponse, in type: AccountType, email: String? = nil) -> String {
        switch response.code {
        case .codeSent: return messages.sentence(response.sentenceCode)
        case .enrolmentStarted: return messages.sentence("tool.enrolment_started")
        default: break
        }
        var values: [String: RuleFailure.Value] = [:]
        if let account = response.account { values["username"] = .text(account.name) }
        if let email { values["email_field"] = .text(email) }
        return messages.sentence(response.doneCode(of: type), values)
    }
}
