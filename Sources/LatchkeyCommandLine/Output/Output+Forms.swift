import LatchkeyForms

extension Output {
    /// A form: its fields with their flags and rules.
    func details(of form: Form, _ messages: MessageTable) throws(ToolFailure) {
        guard !json else { return try result(form.json) }
        try result("\(form.id): \(form.title)")
        for field in form.fields {
            let rules = field.validationRules.map(\.code.rawValue).joined(separator: ", ")
            try result("  \(field.apiKey.rawValue)  \(field.flagForPeople)  \(field.label)  [\(rules)]")
        }
        guard !form.links.isEmpty else { return }
        let links = form.links.map(\.rawValue).joined(separator: ", ")
        try result("  " + messages.sentence("tool.form_links", ["links": .text(links)]))
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
