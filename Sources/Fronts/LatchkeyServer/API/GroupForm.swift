import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets

/// The values of a group in a request. It is a form, so that requests and refusals look like those of accounts.
enum GroupForm {
    static let name: FieldKey = "name"
    static let title: FieldKey = "title"

    /// For a new group, which needs a name.
    static let creation = Form(
        id: "group", title: "Group", submit: "Create",
        fields: [
            GroupField(apiKey: name, placeholder: "Name", rules: [RequiredRule(), OperatorTextRule.name]),
            GroupField(apiKey: title, placeholder: "Title", rules: [OperatorTextRule.title]),
        ])

    /// For a change, which may leave out both.
    static let change = Form(
        id: "group", title: "Group", submit: "Save",
        fields: [
            GroupField(apiKey: name, placeholder: "Name", rules: [OperatorTextRule.name]),
            GroupField(apiKey: title, placeholder: "Title", rules: [OperatorTextRule.title]),
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

/// A rule for a name or a title that operators choose. It accepts an empty value.
struct OperatorTextRule: Rule {
    let code: RuleFailure.Code
    private let isValid: @Sendable (String) -> Bool

    static let name = OperatorTextRule(code: RuleFailure.Code(rawValue: "group_name")) { GroupName($0) != nil }
    static let title = OperatorTextRule(code: RuleFailure.Code(rawValue: "group_title"), isValid: Group.isTitle)

    static let tokenName = OperatorTextRule(
        code: RuleFailure.Code(rawValue: "token_name"), isValid: OperatorToken.isName)
    static let clientID = OperatorTextRule(code: RuleFailure.Code(rawValue: "client_id")) { ClientID($0) != nil }

    static let object = OperatorTextRule(code: RuleFailure.Code(rawValue: "object_setting")) { text in
        if case .object? = JSONValue(typed: text) { true } else { false }
    }

    private init(code: RuleFailure.Code, isValid: @escaping @Sendable (String) -> Bool) {
        self.code = code
        self.isValid = isValid
    }

    func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        let text = String(copying: value)
        return text.isEmpty || isValid(text) ? nil : RuleFailure(code: code)
    }
}

extension JSONValue {
    /// The value of a text that may have several lines; nil if it is not JSON.
    init?(typed text: String) { self.init(line: Array(text.replacing("\n", with: " ").utf8)) }
}
