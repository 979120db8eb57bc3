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

    /// The set-up form: without its password, where there is to be none; and without its ways to other flows, which are
    /// not an operator's.
    private func form() throws(ToolFailure) -> Form {
        let form = run.forms.form(for: .setup)
        var fields = form.fields
        if run.invocation.has("no-password") {
            // The field that goes takes its flags along, and nobody else would look at them.
            try SecretEnvironment.refuse(for: fields, in: run.environment)
            let unwanted = run.invocation.flags.first {
                SecretSource.named(by: $0.name, in: form)?.0.apiKey == .password
            }
            if let unwanted { throw ToolFailure(.usage, "secret_unwanted", ["flag": .text(unwanted.name)]) }
            fields.removeAll { $0.apiKey == .password }
        }
        return Form(id: form.id, title: form.title, submit: form.submit, fields: fields)
    }
}
