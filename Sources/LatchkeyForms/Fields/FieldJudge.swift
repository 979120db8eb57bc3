import LatchkeyText

/// A field's rules as they stand on it.
struct FieldJudge: Sendable {
    let shape: FieldShape
    private let isOptional: Bool
    private let isAttribute: Bool
    private let rules: [any Rule]
    /// Places of rules that somebody else judges by. They stay among the rules, for a failure is told by its place.
    private let leftOut: [Int]
    /// The fields that a rule compares this one to.
    let compared: [FieldKey]

    /// - Parameter leavesOut: rules that somebody else judges by.
    init(_ field: any FormTextField, leavingOut leavesOut: (any Rule) -> Bool = { _ in false }) {
        shape = FieldShape(field)
        isOptional = field.isOptional
        isAttribute = field.isAttribute
        let rules = field.validationRules
        leftOut = rules.indices.filter { leavesOut(rules[$0]) }
        self.rules = field.isSecret ? rules.map { $0.onSecret() } : rules
        compared = rules.compactMap { ($0 as? ConfirmationRule)?.field ?? ($0 as? DiffersRule)?.field }
    }

    /// The first of the rules that fails, if any, for the value in `values`.
    ///
    /// - Parameters:
    ///   - place: of the field in its form, where its value probably is too.
    ///   - pending: fields that are still to be asked for. What fails only for their sake is passed over.
    ///   - judgement: is asked in the place of the rules; nil where they are.
    func failure(
        in values: borrowing FormValues, at place: Int, pending: [FieldKey] = [],
        judgement: (any SecretJudgement)? = nil
    ) -> RuleFailure? {
        values.failure(of: shape.key, near: place) { value in
            if isOptional && value.isEmpty { return nil }
            for index in rules.indices where !leftOut.contains(index) {
                guard var failure = check(index, value, in: values, judgement) else { continue }
                if let other = failure.other, pending.contains(other) { continue }
                failure.field = shape.key
                failure.rule = index
                return failure
            }
            // An attribute is shown to others: what steers their terminal must not get into it.
            guard isAttribute, DisplayText.violation(in: value) != nil else { return nil }
            return RuleFailure(code: .unprintable, field: shape.key)
        }
    }

    private func check(
        _ rule: Int, _ value: UTF8Span, in values: borrowing FormValues, _ judgement: (any SecretJudgement)?
    ) -> RuleFailure? {
        guard let judgement, !value.isEmpty else { return rules[rule].check(value, in: values) }
        return judgement.failure(of: rule, on: shape.key) { rules[rule].check(value, in: values) }
    }

    /// The first rule that asks for a number of characters, where it is more than one.
    var demandedLength: (any LengthDemandingRule)? {
        for rule in rules {
            if let rule = rule as? any LengthDemandingRule, rule.unit.countsCharacters, rule.length > 1 { return rule }
        }
        return nil
    }

    /// How many characters the value lacks, where `failure` is that it is too short and there is one at all.
    func missing(for failure: RuleFailure, in values: borrowing FormValues) -> Int? {
        guard let place = failure.rule, let rule = rules[place] as? any LengthDemandingRule else { return nil }
        return values.withValue(of: shape.key) { $0.isEmpty ? nil : rule.missing(in: $0) }
    }
}
