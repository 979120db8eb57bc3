import LatchkeyForms

/// `forms try`: one form, filled in by flags or by a person, and nothing done with it.
struct FormTrial {
    let run: Run

    func perform() async throws(ToolFailure) {
        guard let form = run.form else { throw ToolFailure(.software, "internal") }
        let values = try FieldFlags(of: run, form: form)
        let front = FlagsFront(form: form, values: values, messages: run.messages)
        let credentials: Credentials
        if !front.areComplete, let terminal = Terminal(run) {
            credentials = try await terminal.ask(form, values)
        } else {
            credentials = try front.credentials()
        }
        let answers = JSONValue.object(
            form.fields.filter { !$0.isSecret }.map { field in
                (field.apiKey.rawValue, credentials.text(field.apiKey).map(JSONValue.string) ?? .null)
            })
        if run.output.json { try run.output.success([("values", answers)]) } else { try run.output.result(answers) }
    }
}
