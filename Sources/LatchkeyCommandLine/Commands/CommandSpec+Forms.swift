import LatchkeyForms

extension CommandSpec {
    static let formsList = CommandSpec(
        words: ["forms", "list"], summary: "the forms in force",
        about: "Lists the forms in force with their titles and fields; with --json one object a line.",
        readsForms: true, statuses: [.done, .usage, .noInput, .inputOutput, .notAllowed, .configuration],
        examples: ["latchkey forms list", "latchkey forms list --forms ./Forms"]
    ) { (context) async throws(ToolFailure) in
        for form in context.forms.all {
            if context.output.json {
                try context.output.result(
                    .object([
                        ("form", .string(form.id)), ("title", .string(form.title)),
                        ("fields", .array(form.fields.map { .string($0.apiKey.rawValue) })),
                    ]))
            } else {
                let keys = form.fields.map(\.apiKey.rawValue).joined(separator: ", ")
                try context.output.result("\(form.id): \(form.title) (\(keys))")
            }
        }
    }

    static let formsShow = CommandSpec(
        words: ["forms", "show"], summary: "the fields of a form",
        about: "Shows a form in force: its fields with their flags, labels and rules. FORM is a name from forms list.",
        operand: Operand(name: "FORM", isRequired: true),
        readsForms: true, statuses: [.done, .no, .usage, .noInput, .inputOutput, .notAllowed, .configuration],
        examples: ["latchkey forms show setup", "latchkey forms show setup --json"]
    ) { (context) async throws(ToolFailure) in
        guard let form = context.operand.flatMap({ context.forms[$0] }) else { throw .noSuchForm }
        try context.output.details(of: form, context.messages)
    }

    static let formsCheck = CommandSpec(
        words: ["forms", "check"], summary: "whether a folder of forms is sound",
        about:
            "Checks every description in DIR, or else in the folder that --forms names, and tells each that is refused.",
        operand: Operand(name: "DIR", isRequired: false),
        statuses: [.done, .usage, .noInput, .inputOutput, .notAllowed, .configuration],
        examples: ["latchkey forms check ./Forms", "latchkey forms check --forms ./Forms"]
    ) { (context) async throws(ToolFailure) in
        try FormCheck(context: context).perform()
    }

    static let formsTry = CommandSpec(
        words: ["forms", "try"], summary: "ask for what a form asks, and print the answers",
        about:
            "Asks for the fields of the form that FILE describes, and prints the answers as JSON. No store is touched."
            + " A secret is asked for and judged, and never printed. FILE stands before the flags of its fields.",
        operand: Operand(name: "FILE", isRequired: true), form: .operand(name: "FILE"),
        statuses: [.done, .no, .usage, .data, .noInput, .software, .system, .inputOutput, .notAllowed, .configuration],
        examples: [
            "latchkey forms try Forms/setup.json",
            "latchkey forms try Forms/forgot-password.json --email ada@example.org",
        ]
    ) { (context) async throws(ToolFailure) in
        try await FormTrial(context: context).perform()
    }
}
