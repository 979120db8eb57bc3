import LatchkeyForms

/// The text of each field of the form.
typealias FormTexts = [FieldKey: String]

/// The form of a todo, with the rules for every draft.
enum TodoForm {
    static let title: FieldKey = "title"
    static let note: FieldKey = "note"
    static let due: FieldKey = "due"
    static let priority: FieldKey = "priority"
    static let keys = [title, note, due, priority]

    /// One field.
    struct Field: FormTextField {
        let apiKey: FieldKey
        let label: String
        let placeholder: String
        let validationRules: [any Rule]
        var isOptional = true
    }

    /// - Parameter heading: the title of the form.
    static func form(_ heading: String) -> Form {
        Form(
            id: "todo", title: heading, submit: "Save",
            fields: [
                Field(
                    apiKey: title, label: "Title", placeholder: "What is there to do?",
                    validationRules: [RequiredRule(), MaxLengthRule(80)], isOptional: false),
                Field(apiKey: note, label: "Note", placeholder: "", validationRules: [MaxLengthRule(400)]),
                Field(apiKey: due, label: "Due", placeholder: "2026-01-31", validationRules: [DateRule()]),
                ChoiceField(
                    priority, label: "Priority", options: TodoDraft.Priority.allCases.map { FieldOption($0.rawValue) }),
            ])
    }

    /// The failures of texts by the form's rules.
    static func failures(of texts: FormTexts) -> [RuleFailure] {
        let form = form("")
        var values = FormValues()
        for (key, text) in texts {
            if let field = form.field(key) { _ = values.set(text.utf8Span, for: field) }
        }
        return form.failures(of: values)
    }
}
