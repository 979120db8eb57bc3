import LatchkeyForms

/// Refuses a text that another field has too, ignoring case.
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
