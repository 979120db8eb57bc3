import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking

/// `accounts create`: the set-up form, filled in by an operator.
struct AccountCreation {
    let run: Run

    func perform() async throws(ToolFailure) {
        guard !run.invocation.operands.isEmpty else {
            throw ToolFailure(.usage, "operand_missing", ["name": .text("NAME")])
        }
        let form = try form()
        let values = try FieldFlags(of: run, form: form)
        let front = FlagsFront(form: form, values: values, messages: run.messages)
        let terminal = front.areComplete ? nil : Terminal(run)
        let credentials = terminal == nil ? try front.credentials() : nil
        let installation = try await Installation.open(run, creating: true)
        let networking = Creating(
            service: installation.service, mustChangePassword: run.invocation.has("require-change"))
        if let credentials {
            let response = await networking.perform(call: .setup, with: credentials)
            guard response.outcome == .success else { throw ToolFailure(response, in: form, run.messages) }
            try report(response)
        } else if let terminal {
            var dependency = installation.dependency
            dependency.networking = networking
            dependency.forms = run.forms.replacing(form)
            let coordinator = AccountCoordinator(dependency: dependency, opening: .setup, until: .success(of: .setup))
            let (_, response) = try await terminal.run(coordinator, values)
            if run.output.json { try report(response) }
        }
    }

    /// The set-up form: without its secrets, where there is to be no password; and without its ways to other flows, which
    /// are not an operator's.
    private func form() throws(ToolFailure) -> Form {
        let form = run.forms.form(for: .setup)
        let hasPassword = !run.invocation.has("no-password")
        return Form(
            id: form.id, title: form.title, submit: form.submit,
            fields: hasPassword ? form.fields : form.fields.filter { $0.apiKey != .password })
    }

    private func report(_ response: NetworkResponse) throws(ToolFailure) {
        if run.output.json {
            try run.output.result(response.json)
        } else {
            let username = response.account?.username ?? ""
            try run.output.result(run.messages.sentence("done.setup", ["username": .text(username)]))
        }
    }

    /// Makes the account on behalf of whoever runs the process.
    private struct Creating: Networking {
        let service: AccountService
        let mustChangePassword: Bool

        func perform(call: AccountType, with credentials: Credentials) async -> NetworkResponse {
            let draft = AccountDraft(
                username: credentials.text(.username) ?? "", email: credentials.text(.email) ?? "",
                attributes: credentials.attributes, password: credentials.secret(.password),
                mustChangePassword: mustChangePassword)
            do {
                return .success(AccountSummary(try await service.create(draft, by: .thisUser)))
            } catch {
                return NetworkResponse(error)
            }
        }
    }
}
