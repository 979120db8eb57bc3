import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms

/// `profile`: what is kept of whoever is signed in, to be looked at and changed. What no flag gives stays as it is.
struct ProfileRun {
    let context: CommandContext

    func perform() async throws(ToolFailure) {
        let form = context.forms.form(for: .profile)
        let given = try FieldFlags(of: context, form: form)
        let terminal = given.isEmpty ? Terminal(context) : nil
        guard terminal != nil || !given.isEmpty else { throw .nothingToChange }
        if terminal == nil { try SessionRecording.refuse(context) }
        if !given.isEmpty { try refuseEarly(given, in: form) }
        let installation = try await Installation.open(context, creating: false)
        try await perform(form, given, terminal, installation)
    }

    /// Refuses what is wrong by itself before anything is opened.
    private func refuseEarly(_ given: FieldFlags, in form: Form) throws(ToolFailure) {
        let fields = form.fields.filter { given.has($0.apiKey) }
        let part = Form(id: form.id, title: form.title, submit: form.submit, fields: fields)
        _ = try FlagsFront(form: part, values: given, messages: context.messages).credentials()
    }

    /// The same in a terminal, after everything else has been found out.
    func perform(_ terminal: Terminal, _ installation: Installation) async throws(ToolFailure) {
        let form = context.forms.form(for: .profile)
        try await perform(form, FieldFlags(texts: [:], secrets: [:]), terminal, installation)
    }

    private func perform(
        _ form: Form, _ given: FieldFlags, _ terminal: Terminal?, _ installation: Installation
    ) async throws(ToolFailure) {
        try await installation.reauthenticate()
        let present = try await installation.fullSession().account.present
        let recording = try SessionRecording(context, of: installation.dependency.forms)
        let dependency = recording?.keeping(installation.dependency) ?? installation.dependency
        let coordinator = AccountCoordinator(
            dependency: dependency, opening: .profile, until: .success(of: .profile))
        let flow = FlowRun(type: .profile, context: context)
        if let terminal {
            let (_, response) = try await terminal.run(coordinator, nil, present: present, recording: recording)
            if context.output.json { try flow.report(response, form) }
        } else {
            let front = FlagsFront(form: form, values: given.over(present), messages: context.messages)
            let (_, response) = await coordinator.userProvidedValidated(
                credentials: try front.credentials(), type: .profile)
            await installation.service.deliverMessages()
            try flow.report(response ?? .unavailable(.internal), form)
        }
    }
}
