/// An e-mail address: how an account is told of what happens to it.
public struct EmailField: FormTextField {
    public let apiKey = FieldKey.email
    public let placeholder: String
    public let label = "Email"
    public let flag = "email"
    public let keyboardType = KeyboardType.emailAddress
    public let autocomplete: String? = "email"
    public var validationRules: [any Rule] { [EmailRule()] }

    public init(placeholder: String = "Email Address") { self.placeholder = placeholder }
}
