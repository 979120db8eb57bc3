import LatchkeyFlows
import LatchkeyForms

/// One flow as a command: by flags alone, or by prompts for what flags did not give.
struct FlowRun {
    let type: AccountType
    let run: Run

    func perform() async throws(ToolFailure) {
        let form = run.forms.form(for: type)
        let values = try FieldFlags(of: run, form: form)
        let front = FlagsFront(form: form, values: values, messages: run.messages)
        let terminal = front.areComplete ? nil : Terminal(run)
        let credentials = terminal == nil ? try front.credentials() : nil
        let installation = try await Installation.open(run, creating: type.makesStore)
        if type.needsSession { _ = try await installation.liveSession() }
        let coordinator = await AppCoordinator(dependency: installation.dependency)
            .start(with: type, until: .success(of: type))
        if let credentials {
            let (_, response) = await coordinator.userProvidedValidated(credentials: credentials, type: type)
            try report(response ?? .unavailable(.internal), form)
        } else if let terminal {
            let (last, response) = try await terminal.run(coordinator, values)
            // The terminal has said it in words already.
            if run.output.json { try report(response, run.forms.form(for: last)) }
        }
    }

    private func report(_ response: NetworkResponse, _ form: Form) throws(ToolFailure) {
        guard response.outcome == .success else { throw ToolFailure(response, in: form, run.messages) }
        if run.output.json {
            try run.output.result(response.json)
        } else {
            try run.output.result(run.messages.sentence("done." + type.rawValue, summary(of: response)))
        }
    }

    /// The values that the sentence of a finished flow may show.
    private func summary(of response: NetworkResponse) -> [String: RuleFailure.Value] {
        var values: [String: RuleFailure.Value] = [:]
        if let account = response.account { values["username"] = .text(account.username) }
        let email = run.invocation.value("email")?.text ?? response.account?.email
        if let email { values["email_field"] = .text(email) }
        return values
    }
}
