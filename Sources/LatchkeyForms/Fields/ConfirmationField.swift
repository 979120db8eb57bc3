/// The second answer of a field that asks twice: there only in a front that does.
public struct ConfirmationField: FormTextField {
    public let confirmed: FieldKey
    public let apiKey: FieldKey
    public let placeholder: String
    public let label: String
    public let isSecret: Bool
    public let maximumBytes: Int
    public let trims: Bool

    /// - Parameter label: what the second answer is called ("Password again").
    public init(of field: any FormTextField, label: String) {
        confirmed = field.apiKey
        apiKey = Self.key(of: field.apiKey)
        placeholder = label
        self.label = label
        isSecret = field.isSecret
        maximumBytes = field.maximumBytes
        trims = field.trims
    }

    public var validationRules: [any Rule] { [ConfirmationRule(field: confirmed)] }

    /// The key of the second answer of `field`. No description can have one, for it has a dot.
    public static func key(of field: FieldKey) -> FieldKey { FieldKey(rawValue: field.rawValue + ".again") }
}
