import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms

/// `accounts create`: the set-up form, filled in by an operator.
struct AccountCreation {
    let context: CommandContext

    func perform() async throws(ToolFailure) {
        let mustChangePassword = context.invocation.has("require-change")
        let form = try form()
        let id = try id(in: form)
        let passwordHash = try passwordHash()
        try await FlowRun(type: .setup, context: context).perform(
            with: form, generating: context.invocation.has("generate")
        ) {
            installation, generated in
            installation.operatorDependency(
                newAccountsMustChangePassword: mustChangePassword, passwordHash: passwordHash, generated: generated,
                id: id)
        }
    }

    /// `setup` where the address has to be proved: the password is chosen with the code that is sent there, by whoever has
    /// the address.
    func performForOneself() async throws(ToolFailure) {
        let form = try form { .passwordLater(flag: $0) }
        try await FlowRun(type: .setup, context: context).perform(with: form) { (installation, _) in
            installation.dependency
        }
    }

    /// The id that the account is to have; nil for a random one.
    private func id(in form: Form) throws(ToolFailure) -> AccountID? {
        guard let given = context.invocation.value("id") else { return nil }
        guard let id = given.text.flatMap({ AccountID($0) }) else {
            throw ToolFailure.refusal([RuleFailure(code: .notID, field: .accountID)], in: form, context.messages)
        }
        return id
    }

    /// The flags that do without the form's password.
    private static let withoutPassword = ["no-password", "generate"]

    private static let hashFlags: [(name: String, source: SecretSource)] =
        SecretSource.allCases.map { ("password-hash-" + $0.rawValue, $0) }

    private var hashFlag: Invocation.Flag? {
        context.invocation.flags.first { flag in Self.hashFlags.contains { $0.name == flag.name } }
    }

    /// What another program has made of the password; nil where it is not given.
    private func passwordHash() throws(ToolFailure) -> PasswordHash? {
        let given = context.invocation.flags.filter { flag in Self.hashFlags.contains { $0.name == flag.name } }
        guard let flag = given.first else { return nil }
        if let other = given.dropFirst().first?.name ?? Self.withoutPassword.first(where: context.invocation.has) {
            throw .secretUnwanted(flag: flag.name, other: other)
        }
        guard let source = Self.hashFlags.first(where: { $0.name == flag.name })?.source else { return nil }
        var lines = SecretLines(try source.file(named: flag, context), named: "--" + flag.name)
        let line = try lines.line(maximumBytes: PasswordHash.maximumByteCount, flag: "--" + flag.name)
        if source == .stdin { try lines.refuseRest() }
        guard let hash = PasswordHash(imported: line) else { throw .hashUnsupported }
        return hash
    }

    /// The set-up form: without its password, where there is to be none; and without its ways to other flows, which are
    /// not an operator's.
    private func form() throws(ToolFailure) -> Form {
        var form = context.forms.form(for: .setup)
        let given = Self.withoutPassword.filter(context.invocation.has)
        if given.count > 1 {
            throw .secretUnwanted(flag: given[0], other: given[1])
        }
        if let other = given.first ?? hashFlag?.name {
            form = try self.form { .secretUnwanted(flag: $0, other: other) }
        }
        return Form(id: form.id, title: form.title, submit: form.submit, fields: form.fields)
    }

    /// The set-up form without its password.
    ///
    /// - Parameters:
    ///   - refusal: why a flag that gives a password is refused.
    private func form(withoutPassword refusal: (String) -> ToolFailure) throws(ToolFailure) -> Form {
        let form = context.forms.form(for: .setup)
        // The field that goes takes its flags along, and nobody else would look at them.
        try SecretEnvironment.refuse(for: form.fields, in: context.environment)
        let unwanted = context.invocation.flags.first {
            SecretSource.named(by: $0.name, in: form)?.0.apiKey == .password
        }
        if let unwanted {
            throw refusal(unwanted.name)
        }
        return form.without(.password)
    }
}
