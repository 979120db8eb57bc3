import LatchkeyForms

/// A field for the name of a team or a player: not empty, short, and unlike the names asked for before it.
struct NameField: FormTextField {
    /// In characters, as people count them.
    static let longest = 16

    let apiKey: FieldKey
    let placeholder: String
    /// The fields whose names are taken.
    let others: [FieldKey]

    var validationRules: [any Rule] {
        [RequiredRule(), MaxLengthRule(Self.longest), DistinctRule(from: others)]
    }

    /// A character may be of any number of bytes, but no name of sixteen needs more.
    var maximumBytes: Int { 128 }
}
