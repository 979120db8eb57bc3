import LatchkeyForms

/// `forms try`: fills in one form and prints the answers.
enum FormsTryCommand {
    static let spec = CommandSpec(
        words: ["forms", "try"], summary: "Fill in a form and print the answers",
        about:
            "Ask for the fields of the form that FILE describes, and print the answers as JSON. Secrets are validated"
            + " but never printed. Does not open the store. FILE comes before the flags of its fields.",
        operand: CommandSpec.Operand(name: "FILE", isRequired: true), form: .operand(name: "FILE"),
        statuses: [.done, .no, .usage, .data, .noInput, .software, .system, .inputOutput, .notAllowed, .configuration],
        examples: [
            "latchkey forms try Forms/setup.json",
            "latchkey forms try Forms/forgot-password.json --email ada@example.org",
        ]
    ) { (context) async throws(ToolFailure) in
        guard let form = context.form else { throw .internal }
        let values = try FieldFlags(of: context, form: form)
        let front = FlagsFront(form: form, values: values, messages: context.messages)
        let credentials: Credentials
        if !front.areComplete, let terminal = Terminal(context) {
            credentials = try await terminal.ask(form, values)
        } else {
            credentials = try front.credentials()
        }
        let answers = JSONValue.object(
            form.fields.filter { !$0.isSecret }.map { field in
                (field.apiKey.rawValue, credentials.text(field.apiKey).map(JSONValue.string) ?? .null)
            })
        return .lines([answers.encoded], json: [("values", answers)])
    }
}
