/// A field that a description made.
public struct DescribedField: FormTextField {
    public let apiKey: FieldKey
    public internal(set) var placeholder: String
    public internal(set) var label: String
    public let flag: String
    public internal(set) var help: String?
    public let keyboardType: KeyboardType
    public let validationRules: [any Rule]
    public let messages: [Int: String]
    public let isSecret: Bool
    public let confirms: Bool
    public let isOptional: Bool
    public let trims: Bool
    public let textColor: ColorRole
    public let autocomplete: String?
}
