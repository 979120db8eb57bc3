import LatchkeyForms

/// A field for the name of a team or a player: required, short, and different from the earlier names.
struct NameField: FormTextField {
    /// Counted in characters as users see them.
    static let longest = 16

    let apiKey: FieldKey
    let placeholder: String
    /// The fields with earlier names.
    let others: [FieldKey]

    var validationRules: [any Rule] {
        [RequiredRule(), MaxLengthRule(Self.longest), DistinctRule(from: others)]
    }

    /// A limit in bytes too, because one character can have any number of bytes.
    var maximumBytes: Int { 128 }
}

/// Refuses a text that another field already has, ignoring case.
struct DistinctRule: Rule {
    let code = RuleFailure.Code(rawValue: "distinct")
    let others: [FieldKey]

    init(from others: [FieldKey]) { self.others = others }

    func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        let name = String(copying: value).lowercased()
        for other in others {
            // Swift compares by canonical equivalence: "é" equals "e" with a combining accent.
            let isSame = form.withValue(of: other) { String(copying: $0).lowercased() == name }
            if isSame { return RuleFailure(code: code, values: ["other": .text(other.rawValue)]) }
        }
        return nil
    }
}
