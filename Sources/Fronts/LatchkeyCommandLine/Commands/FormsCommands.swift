import LatchkeyForms

/// `forms list`: lists the current forms.
enum FormsListCommand {
    static let spec = CommandSpec(
        words: ["forms", "list"], summary: "List the current forms",
        about: "List the current forms with their titles and fields; with --json one object a line.",
        readsForms: true, statuses: [.done, .usage, .noInput, .inputOutput, .notAllowed, .configuration],
        examples: ["latchkey forms list", "latchkey forms list --forms ./Forms"]
    ) { (context) async throws(ToolFailure) in
        for form in context.forms.all {
            let keys = form.fields.map(\.apiKey.rawValue)
            guard context.output.json else {
                try context.output.sentences(["\(form.id): \(form.title) (\(keys.joined(separator: ", ")))"])
                continue
            }
            try context.output.result(
                .object([
                    ("form", .string(form.id)), ("title", .string(form.title)),
                    ("fields", .array(keys.map { .string($0) })),
                ]))
        }
        return .printed
    }
}

/// `forms show`: shows the fields of a form with their flags and rules.
enum FormsShowCommand {
    static let spec = CommandSpec(
        words: ["forms", "show"], summary: "Show the fields of a form",
        about: "Show a current form: its fields with their flags, labels and rules. FORM is a name from forms list.",
        operand: CommandSpec.Operand(name: "FORM", isRequired: true),
        readsForms: true, statuses: [.done, .no, .usage, .noInput, .inputOutput, .notAllowed, .configuration],
        examples: ["latchkey forms show setup", "latchkey forms show setup --json"]
    ) { (context) async throws(ToolFailure) in
        guard let form = context.operand.flatMap({ context.forms[$0] }) else { throw .noSuchForm }
        guard !context.output.json else {
            try context.output.result(form.json)
            return .printed
        }
        var lines = ["\(form.id): \(form.title)"]
        for field in form.fields {
            let rules = field.validationRules.map(\.code.rawValue).joined(separator: ", ")
            lines.append("  \(field.apiKey.rawValue)  \(field.flagForPeople)  \(field.label)  [\(rules)]")
        }
        if !form.links.isEmpty {
            let links = form.links.map(\.rawValue).joined(separator: ", ")
            lines.append("  " + context.messages.sentence("tool.form_links", ["links": .text(links)]))
        }
        return .lines(lines, json: [])
    }
}

/// `forms check`: reads all descriptions and reports every refused one, not just the first.
struct FormsCheckCommand {
    static let spec = CommandSpec(
        words: ["forms", "check"], summary: "Check a folder of forms",
        about: "Check every description in DIR, or else in the folder of --forms, and report each that is refused.",
        operand: CommandSpec.Operand(name: "DIR", isRequired: false),
        statuses: [.done, .usage, .noInput, .inputOutput, .notAllowed, .configuration],
        examples: ["latchkey forms check ./Forms", "latchkey forms check --forms ./Forms"]
    ) { (context) async throws(ToolFailure) in try FormsCheckCommand(context: context).run() }

    let context: CommandContext

    private func run() throws(ToolFailure) -> CommandResult {
        let folder = try folder()
        let sources = try FormFolder.sources(in: folder)
        let errors = FormCatalogue.read(sources).refusals.map { ToolFailure.FieldError($0, context.messages) }
        guard errors.isEmpty else { throw .formsRefused(errors) }
        return .lines(
            sources.map { context.messages.sentence("check.ok", ["check": .text($0.file)]) },
            json: [("forms", .array(sources.map { .string($0.file) }))])
    }

    private func folder() throws(ToolFailure) -> String {
        if let operand = context.invocation.operands.first {
            guard let path = operand.path else { throw .badValue("DIR", .path) }
            return path
        }
        guard let path = context.settings.values.text(.forms) else {
            throw .operandMissing(name: "DIR")
        }
        return path
    }
}

extension ToolFailure.FieldError {
    /// A refused description: `setup.json:3:5: …`.
    init(_ error: FormDescriptionError, _ messages: MessageTable) {
        field = error.file
        flag = nil
        code = error.problem.code
        values = ["line": .integer(error.place.line), "column": .integer(error.place.column)]
        message =
            "\(error.file):\(error.place.line):\(error.place.column): "
            + messages.sentence(error.problem.code, error.problem.values)
    }
}

/// `forms try`: fills in a form and prints the values.
enum FormsTryCommand {
    static let spec = CommandSpec(
        words: ["forms", "try"], summary: "Fill in a form and print the answers",
        about:
            "Ask for the fields of the form that FILE describes, and print the answers as JSON. Secrets are validated"
            + " but never printed. Does not open the store. FILE comes before the flags of its fields.",
        operand: CommandSpec.Operand(name: "FILE", isRequired: true), form: .operand(name: "FILE"),
        statuses: [.done, .no, .usage, .data, .noInput, .software, .system, .inputOutput, .notAllowed, .configuration],
        examples: [
            "latchkey forms try setup.json",
            "latchkey forms try forgot-password.json --email ada@example.org",
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
            form.fields.compactMap { field in
                credentials[field.apiKey].map { (field.apiKey.rawValue, $0.json) }
            })
        return .lines([answers.encoded], json: [("values", answers)])
    }
}
