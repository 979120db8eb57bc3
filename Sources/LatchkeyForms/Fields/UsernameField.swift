/// The name of a new account.
public struct UsernameField: FormTextField {
    public let apiKey = FieldKey.username
    public let placeholder: String
    public let autocomplete: String? = "username"
    public var validationRules: [any Rule] { [UsernameRule()] }

    public init(placeholder: String = "Username") { self.placeholder = placeholder }
}
