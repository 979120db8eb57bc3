/// A password that is being set, asked for twice where a person is asked.
public struct NewPasswordField: FormTextField {
    public let apiKey = FieldKey.password
    public let placeholder: String
    public let isSecret = true
    public let confirms = true
    public let autocomplete: String? = "new-password"
    public var validationRules: [any Rule] { [MinLengthRule(9), PasswordRule(), NotCommonRule()] }

    public init(placeholder: String = "Password") { self.placeholder = placeholder }
}
