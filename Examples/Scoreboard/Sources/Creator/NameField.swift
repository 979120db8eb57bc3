import LatchkeyForms

/// A field for the name of a team or a player: required, short, and different from the names before it.
struct NameField: FormTextField {
    /// In characters as users count them.
    static let longest = 16

    let apiKey: FieldKey
    let placeholder: String
    /// The fields with the names that are already used.
    let others: [FieldKey]

    var validationRules: [any Rule] {
        [RequiredRule(), MaxLengthRule(Self.longest), DistinctRule(from: others)]
    }

    /// A limit in bytes, because one character can have any number of bytes.
    var maximumBytes: Int { 128 }
}
