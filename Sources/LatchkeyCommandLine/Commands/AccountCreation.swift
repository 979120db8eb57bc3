import LatchkeyFlows
import LatchkeyForms

/// `accounts create`: the set-up form, filled in by an operator.
struct AccountCreation {
    let run: Run

    func perform() async throws(ToolFailure) {
        let mustChangePassword = run.invocation.has("require-change")
        try await FlowRun(type: .setup, run: run).perform(with: try form()) { installation in
            installation.operatorDependency(newAccountsMustChangePassword: mustChangePassword)
        }
    }

    /// `setup` where the address has to be proved: the password is chosen with the code that is sent there, by whoever has
    /// the address.
    func performForOneself() async throws(ToolFailure) {
        let form = try form(withoutPassword: "password_later")
        try await FlowRun(type: .setup, run: run).perform(with: form) { $0.dependency }
    }

    /// The set-up form: without its password, where there is to be none; and without its ways to other flows, which are
    /// not an operator's.
    private func form() throws(ToolFailure) -> Form {
        var form = run.forms.form(for: .setup)
        if run.invocation.has("no-password") { form = try self.form(withoutPassword: "secret_unwanted") }
        return Form(id: form.id, title: form.title, submit: form.submit, fields: form.fields)
    }

    /// The set-up form without its password.
    ///
    /// - Parameter code: why a flag is refused that gives one.
    private func form(withoutPassword code: String) throws(ToolFailure) -> Form {
        let form = run.forms.form(for: .setup)
        // The field that goes takes its flags along, and nobody else would look at them.
        try SecretEnvironment.refuse(for: form.fields, in: run.environment)
        let unwanted = run.invocation.flags.first {
            SecretSource.named(by: $0.name, in: form)?.0.apiKey == .password
        }
        if let unwanted { throw ToolFailure(.usage, code, ["flag": .text(unwanted.name)]) }
        return form.without(.password)
    }
}
