import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking

/// `profile`: shows and changes the logged-in account. Fields without a flag keep their value.
struct ProfileCommand {
    static let spec = FlowCommand.spec(
        .profile, summary: "Edit your profile",
        about:
            "Show and change the logged-in account. Fields without a flag keep their value. A new address takes effect"
            + " once you enter the code that was sent to it (--code-stdin). Requires a password given within the last 5"
            + " minutes: a terminal asks for it, a script logs in again first.",
        statuses: [.no, .data, .exists, .temporary],
        examples: [
            "latchkey profile", "latchkey profile --email ada@new.example",
            "printf '%s\\n' \"$CODE\" | latchkey profile --code-stdin",
        ]
    ) { (context) async throws(ToolFailure) in try await ProfileCommand(context: context).run() }

    let context: CommandContext

    private func run() async throws(ToolFailure) -> CommandResult {
        let form = context.forms.form(for: .profile)
        let given = try FieldFlags(of: context, form: form)
        let terminal = given.isEmpty ? Terminal(context) : nil
        guard terminal != nil || !given.isEmpty else { throw .nothingToChange }
        if !given.isEmpty { try validateAlone(given, in: form) }
        return try await run(form, given, terminal, context.owner())
    }

    /// Refuses individually invalid values before the store is opened.
    private func validateAlone(_ given: FieldFlags, in form: Form) throws(ToolFailure) {
        let fields = form.fields.filter { given.has($0.apiKey) }
        let part = Form(id: form.id, title: form.title, submit: form.submit, fields: fields)
        _ = try FlagsFront(form: part, values: given, messages: context.messages).credentials()
    }

    /// Shows the profile in a terminal.
    func run(in terminal: Terminal, _ owner: AccountOwner) async throws(ToolFailure) -> CommandResult {
        let form = context.forms.form(for: .profile)
        return try await run(form, FieldFlags(), terminal, owner)
    }

    private func run(
        _ form: Form, _ given: FieldFlags, _ terminal: Terminal?, _ owner: AccountOwner
    ) async throws(ToolFailure) -> CommandResult {
        let present = try await owner.reauthenticate().account.present
        let coordinator = AccountCoordinator(
            dependency: owner.dependency(), opening: .profile, until: .success(of: .profile))
        if let terminal {
            let (_, response) = try await terminal.run(coordinator, nil, present: present)
            guard context.output.json else { return .printed }
            return try context.result(of: response, in: .profile, about: form)
        }
        let front = FlagsFront(form: form, values: given.over(present), messages: context.messages)
        let (_, response) = await coordinator.userProvidedValidated(
            credentials: try front.credentials(), type: .profile)
        await owner.deliverMessages()
        if let response, let failure = owner.failure(behind: response) { throw failure }
        return try context.result(of: response ?? .unavailable(.internal), in: .profile, about: form)
    }
}
