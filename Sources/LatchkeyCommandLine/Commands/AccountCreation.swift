import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms

/// `accounts create`: the set-up form, filled in by an operator.
struct AccountCreation {
    let run: Run

    func perform() async throws(ToolFailure) {
        let mustChangePassword = run.invocation.has("require-change")
        let form = try form()
        let id = try id(in: form)
        let passwordHash = try passwordHash()
        try await FlowRun(type: .setup, run: run).perform(with: form, generating: run.invocation.has("generate")) {
            installation, generated in
            installation.operatorDependency(
                newAccountsMustChangePassword: mustChangePassword, passwordHash: passwordHash, generated: generated,
                id: id)
        }
    }

    /// `setup` where the address has to be proved: the password is chosen with the code that is sent there, by whoever has
    /// the address.
    func performForOneself() async throws(ToolFailure) {
        let form = try form(withoutPassword: "password_later")
        try await FlowRun(type: .setup, run: run).perform(with: form) { (installation, _) in
            installation.dependency
        }
    }

    /// The id that the account is to have; nil for a random one.
    private func id(in form: Form) throws(ToolFailure) -> AccountID? {
        guard let given = run.invocation.value("id") else { return nil }
        guard let id = given.text.flatMap({ AccountID($0) }) else {
            throw ToolFailure.refusal([RuleFailure(code: .notID, field: .accountID)], in: form, run.messages)
        }
        return id
    }

    /// The flags that do without the form's password.
    private static let withoutPassword = ["no-password", "generate"]

    private static let hashFlags: [(name: String, source: SecretSource)] =
        SecretSource.allCases.map { ("password-hash-" + $0.rawValue, $0) }

    private var hashFlag: Invocation.Flag? {
        run.invocation.flags.first { flag in Self.hashFlags.contains { $0.name == flag.name } }
    }

    /// What another program has made of the password; nil where it is not given.
    private func passwordHash() throws(ToolFailure) -> PasswordHash? {
        let given = run.invocation.flags.filter { flag in Self.hashFlags.contains { $0.name == flag.name } }
        guard let flag = given.first else { return nil }
        if let other = given.dropFirst().first?.name ?? Self.withoutPassword.first(where: run.invocation.has) {
            throw ToolFailure(.usage, "secret_unwanted", ["flag": .text(flag.name), "other": .text(other)])
        }
        guard let source = Self.hashFlags.first(where: { $0.name == flag.name })?.source else { return nil }
        var lines = SecretLines(try source.file(named: flag, run), named: "--" + flag.name)
        let line = try lines.line(maximumBytes: PasswordHash.maximumByteCount, flag: "--" + flag.name)
        if source == .stdin { try lines.refuseRest() }
        guard let hash = PasswordHash(imported: line) else { throw ToolFailure(.data, "hash_unsupported") }
        return hash
    }

    /// The set-up form: without its password, where there is to be none; and without its ways to other flows, which are
    /// not an operator's.
    private func form() throws(ToolFailure) -> Form {
        var form = run.forms.form(for: .setup)
        let given = Self.withoutPassword.filter(run.invocation.has)
        if given.count > 1 {
            throw ToolFailure(.usage, "secret_unwanted", ["flag": .text(given[0]), "other": .text(given[1])])
        }
        if let other = given.first ?? hashFlag?.name {
            form = try self.form(withoutPassword: "secret_unwanted", ["other": .text(other)])
        }
        return Form(id: form.id, title: form.title, submit: form.submit, fields: form.fields)
    }

    /// The set-up form without its password.
    ///
    /// - Parameters:
    ///   - code: why a flag is refused that gives one.
    ///   - values: what its sentence shows beside that flag.
    private func form(
        withoutPassword code: String, _ values: [String: RuleFailure.Value] = [:]
    ) throws(ToolFailure) -> Form {
        let form = run.forms.form(for: .setup)
        // The field that goes takes its flags along, and nobody else would look at them.
        try SecretEnvironment.refuse(for: form.fields, in: run.environment)
        let unwanted = run.invocation.flags.first {
            SecretSource.named(by: $0.name, in: form)?.0.apiKey == .password
        }
        if let unwanted {
            throw ToolFailure(.usage, code, values.merging(["flag": .text(unwanted.name)]) { $1 })
        }
        return form.without(.password)
    }
}
