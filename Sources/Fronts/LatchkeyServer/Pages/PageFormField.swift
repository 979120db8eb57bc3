import LatchkeyForms

/// A field of a form that belongs to a page and to no flow.
struct PageFormField: FormField {
    let apiKey: FieldKey
    let kind: FieldKind
    let placeholder = ""
    let label: String
    let help: String?
    let validationRules: [any Rule]
    let isOptional: Bool
    let options: [FieldOption]
    let defaultValue: FieldValue?
    /// The heading above the field; nil if it belongs to the previous one.
    var page: String?

    init(
        _ key: FieldKey, _ label: String, as kind: FieldKind = .text, help: String? = nil, rules: [any Rule] = [],
        isOptional: Bool = false, options: [FieldOption] = [], default defaultValue: FieldValue? = nil
    ) {
        apiKey = key
        self.kind = kind
        self.label = label
        self.help = help
        validationRules = rules
        self.isOptional = isOptional
        self.options = options
        self.defaultValue = defaultValue
    }
}
