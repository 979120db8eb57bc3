/// The code from a recovery message.
public struct RecoveryCodeField: FormTextField {
    public let apiKey = FieldKey.code
    public let placeholder: String
    public let label = "Code"
    public let isSecret = true
    public let autocomplete: String? = "one-time-code"

    public init(placeholder: String = "Code from the message") { self.placeholder = placeholder }
}
