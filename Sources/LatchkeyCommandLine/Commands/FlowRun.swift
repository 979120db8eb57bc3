import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeySecrets

/// One flow as a command: by flags alone, or by prompts for what flags did not give.
struct FlowRun {
    let type: AccountType
    let context: CommandContext

    func perform() async throws(ToolFailure) {
        try await perform(with: context.forms.form(for: type)) { (installation, _) in installation.dependency }
    }

    /// - Parameters:
    ///   - form: takes the place of the flow's.
    ///   - generating: whether a password is generated, and printed when all is done.
    ///   - dependency: what the coordinator is handed, given that password.
    func perform(
        with form: Form, generating: Bool = false, _ dependency: (Installation, Secret?) -> AppDependency
    ) async throws(ToolFailure) {
        let values = try FieldFlags(of: context, form: form)
        let front = FlagsFront(form: form, values: values, messages: context.messages)
        let terminal = front.areComplete ? nil : Terminal(context)
        if terminal == nil { try SessionRecording.refuse(context) }
        let credentials = terminal == nil ? try front.credentials() : nil
        let installation = try await Installation.open(context, creating: type.makesStore)
        if type.needsSession { _ = try await installation.liveSession() }
        let generated = generating ? try await installation.newPassword() : nil
        var dependency = dependency(installation, generated)
        dependency.forms = dependency.forms.replacing(form)
        let recording = try SessionRecording(context, of: dependency.forms)
        if let recording { dependency = recording.keeping(dependency) }
        let coordinator = AccountCoordinator(dependency: dependency, opening: type, until: .success(of: type))
        if let credentials {
            let (_, response) = await coordinator.userProvidedValidated(credentials: credentials, type: type)
            await installation.service.deliverMessages()
            if response?.code == .storageFailed, let failure = installation.sessionStoreFailure { throw failure }
            try report(response ?? .unavailable(.internal), form, email: credentials.text(.email), generated)
        } else if let terminal {
            let (last, response) = try await terminal.run(coordinator, values, recording: recording)
            // The terminal has said it in words already.
            if context.output.json || generated != nil {
                try report(response, dependency.forms.form(for: last), generated, isTold: true)
            }
        }
    }

    /// - Parameters:
    ///   - generated: the password that was made, and that nobody has seen yet.
    ///   - isTold: whether the terminal has said it in words already.
    func report(
        _ response: NetworkResponse, _ form: Form, email: String? = nil, _ generated: Secret? = nil,
        isTold: Bool = false
    ) throws(ToolFailure) {
        if !context.output.json, let notice = response.notice(context.messages) { context.output.note(notice) }
        guard response.outcome == .success else { throw ToolFailure(response, in: form, context.messages) }
        guard !context.output.json || generated != nil else { return try context.output.result(response.json) }
        if response.code == .codeSent {
            return try context.output.result(context.messages.sentence(response.sentenceCode))
        }
        var values: [String: RuleFailure.Value] = [:]
        if let account = response.account { values["username"] = .text(account.username) }
        if let email { values["email_field"] = .text(email) }
        let sentence = context.messages.sentence("done." + type.rawValue, values)
        guard let generated else { return try context.output.result(sentence) }
        if !isTold { context.output.note(sentence) }
        context.noteGeneratedPassword()
        try context.output.secret(generated, named: "generated_password", beside: response.json)
    }
}
