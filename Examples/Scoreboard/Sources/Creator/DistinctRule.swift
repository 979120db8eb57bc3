import LatchkeyForms

/// Fails for a text that another field has too, whatever the case of its letters.
struct DistinctRule: Rule {
    let code = RuleFailure.Code(rawValue: "distinct")
    let others: [FieldKey]

    init(from others: [FieldKey]) { self.others = others }

    func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        let name = String(copying: value).lowercased()
        for other in others {
            // Swift compares texts by what they mean: "é" is the same in one code point and in two.
            let isSame = form.withValue(of: other) { String(copying: $0).lowercased() == name }
            if isSame { return RuleFailure(code: code, values: ["other": .text(other.rawValue)]) }
        }
        return nil
    }
}
