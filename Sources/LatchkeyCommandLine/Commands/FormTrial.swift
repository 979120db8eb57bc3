import LatchkeyForms

/// `forms try`: one form, filled in by flags or by a person, and nothing done with it.
struct FormTrial {
    let context: CommandContext

    func perform() async throws(ToolFailure) {
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
        if context.output.json {
            try context.output.success([("values", answers)])
        } else {
            try context.output.result(answers)
        }
    }
}
