import LatchkeyAccounts
import LatchkeyForms

/// The values of a group in a request. It is a form, so that requests and refusals look like those of accounts.
enum GroupForm {
    static let name: FieldKey = "name"
    static let title: FieldKey = "title"

    /// For a new group, which needs a name.
    static let creation = Form(
        id: "group", title: "Group", submit: "Create",
        fields: [
            GroupField(apiKey: name, placeholder: "Name", rules: [RequiredRule(), GroupValueRule.name]),
            GroupField(apiKey: title, placeholder: "Title", rules: [GroupValueRule.title]),
        ])

    /// For a change, which may leave out both.
    static let change = Form(
        id: "group", title: "Group", submit: "Save",
        fields: [
            GroupField(apiKey: name, placeholder: "Name", rules: [GroupValueRule.name]),
            GroupField(apiKey: title, placeholder: "Title", rules: [GroupValueRule.title]),
        ])
}

private struct GroupField: FormTextField {
    let apiKey: FieldKey
    let placeholder: String
    let validationRules: [any Rule]
    let messages: [Int: String] = [:]
    let textColor = ColorRole.default

    init(apiKey: FieldKey, placeholder: String, rules: [any Rule]) {
        self.apiKey = apiKey
        self.placeholder = placeholder
        validationRules = rules
    }
}

/// The rule for the name or the title of a group. It accepts an empty value.
private struct GroupValueRule: Rule {
    let code: RuleFailure.Code
    private let isValid: @Sendable (String) -> Bool

    static let name = GroupValueRule(code: RuleFailure.Code(rawValue: "group_name")) { GroupName($0) != nil }
    static let title = GroupValueRule(code: RuleFailure.Code(rawValue: "group_title"), isValid: Group.isTitle)

    private init(code: RuleFailure.Code, isValid: @escaping @Sendable (String) -> Bool) {
        self.code = code
        self.isValid = isValid
    }

    func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        let text = String(copying: value)
        return text.isEmpty || isValid(text) ? nil : RuleFailure(code: code)
    }
}
