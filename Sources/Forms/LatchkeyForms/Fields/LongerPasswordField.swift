/// A field for a new password that needs more characters than its form says, because the policy of the store does.
struct LongerPasswordField: FormTextField {
    private let field: any FormTextField
    let validationRules: [any Rule]

    /// Nil for a field that takes no new password, or that already needs as many characters.
    init?(_ field: any FormField, atLeast length: Int) {
        guard let field = field as? any FormTextField, field.isSecret, field.autocomplete == "new-password" else {
            return nil
        }
        let rules = field.validationRules.map { rule -> any Rule in
            guard let shorter = rule as? MinLengthRule, shorter.length < length else { return rule }
            return MinLengthRule(length, unit: shorter.unit)
        }
        guard
            zip(rules, field.validationRules).contains(where: {
                ($0 as? MinLengthRule)?.length != ($1 as? MinLengthRule)?.length
            })
        else { return nil }
        self.field = field
        validationRules = rules
    }

    var apiKey: FieldKey { field.apiKey }
    var kind: FieldKind { field.kind }
    var placeholder: String { field.placeholder }
    var label: String { field.label }
    var flag: String { field.flag }
    var help: String? { field.help }
    var messages: [Int: String] { field.messages }
    var isOptional: Bool { field.isOptional }
    var isSecret: Bool { field.isSecret }
    var isMasked: Bool { field.isMasked }
    var condition: FieldCondition? { field.condition }
    var page: String? { field.page }
    var textColor: ColorRole { field.textColor }
    var autocomplete: String? { field.autocomplete }
    var maximumBytes: Int { field.maximumBytes }
    var keyboardType: KeyboardType { field.keyboardType }
    var confirms: Bool { field.confirms }
    var trims: Bool { field.trims }
    var suggestions: [String] { field.suggestions }
}

extension Form {
    /// A copy in which new passwords need at least `length` characters, so that people learn about the policy before
    /// they submit the form. Longer demands of the form stay.
    package func requiring(passwordLength length: Int) -> Form {
        Form(
            id: id, title: title, submit: submit, links: links,
            fields: fields.map { LongerPasswordField($0, atLeast: length) ?? $0 })
    }
}

extension FormCatalogue {
    /// A copy in which new passwords need at least `length` characters, in all forms of flows.
    package func requiring(passwordLength length: Int) -> FormCatalogue {
        AccountType.allCases.reduce(self) { $0.replacing($0.form(for: $1).requiring(passwordLength: length)) }
    }
}
