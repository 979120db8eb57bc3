import LatchkeyForms

/// `forms list`: the current forms.
enum FormsListCommand {
    static let spec = CommandSpec(
        words: ["forms", "list"], summary: "List the current forms",
        about: "List the current forms with their titles and fields; with --json one object a line.",
        readsForms: true, statuses: [.done, .usage, .noInput, .inputOutput, .notAllowed, .configuration],
        examples: ["latchkey forms list", "latchkey forms list --forms ./Forms"]
    ) { (context) async throws(ToolFailure) in
        for form in context.forms.all {
            let keys = form.fields.map(\.apiKey.rawValue)
            try context.output.row(
                "\(form.id): \(form.title) (\(keys.joined(separator: ", ")))",
                json: .object([
                    ("form", .string(form.id)), ("title", .string(form.title)),
                    ("fields", .array(keys.map { .string($0) })),
                ]))
        }
        return .printed
    }
}

/// `forms show`: the fields of a form, with their flags and rules.
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

extension Form {
    fileprivate var json: JSONValue {
        .object([
            ("form", .string(id)), ("title", .string(title)), ("submit", .string(submit)),
            ("links", .array(links.map { .string($0.rawValue) })),
            (
                "fields",
                .array(
                    fields.map { field in
                        .object([
                            ("api_key", .string(field.apiKey.rawValue)), ("flag", .string(field.flag)),
                            ("label", .string(field.label)), ("secret", .bool(field.isSecret)),
                            ("optional", .bool(field.isOptional)),
                            ("rules", .array(field.validationRules.map { .string($0.code.rawValue) })),
                        ])
                    })
            ),
        ])
    }
}
