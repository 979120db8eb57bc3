/// The password that an account has, given to change it.
public struct CurrentPasswordField: FormTextField {
    public let apiKey = FieldKey.currentPassword
    public let placeholder: String
    public let isSecret = true
    public let autocomplete: String? = "current-password"

    public init(placeholder: String = "Current password") { self.placeholder = placeholder }
}
