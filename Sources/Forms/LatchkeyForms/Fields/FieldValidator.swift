import LatchkeyText

/// Validates one field: first its limits, then its rules in order.
///
/// This is a class because an import takes it out of an array for each value, and copying a struct would retain each
/// property.
final class FieldValidator: Sendable {
    let traits: FieldTraits
    private let isOptional: Bool
    /// Whether an empty value fails with ``RuleFailure/Code/required`` before any rule runs.
    private let needsValue: Bool
    private let isAttribute: Bool
    private let optionCount: (minimum: Int?, maximum: Int?)
    private let rules: [any Rule]
    /// The indices of rules that are skipped. They stay in `rules`, because a failure identifies its rule by index.
    private let skipped: [Int]
    /// The indices of rules that report an empty value as ``RuleFailure/Code/required``.
    private let sayRequired: [Int]

    /// - Parameter skips: whether to skip a rule because it is checked elsewhere.
    init(_ field: any FormField, skipping skips: (any Rule) -> Bool = { _ in false }) {
        traits = FieldTraits(field)
        isOptional = field.isOptional
        needsValue = !field.isOptional && (field.kind == .choice || field.kind == .date)
        isAttribute = field.isAttribute
        optionCount = field.optionCount
        let rules = field.validationRules
        skipped = rules.indices.filter { skips(rules[$0]) }
        sayRequired = rules.indices.filter {
            (rules[$0] is EmailRule || rules[$0] is UsernameRule) && field.messages[$0] == nil
        }
        self.rules = field.isSecret ? rules.map { $0.onSecret() } : rules
    }

    /// The first failure for which `counts` returns true; nil if there is none.
    ///
    /// - Parameter place: the index of the field in its form, where its value is looked up first.
    func failure(
        in values: borrowing FormValues, at place: Int, where counts: (RuleFailure) -> Bool
    ) -> RuleFailure? {
        values.failure(of: traits.key, near: place) { value in
            if value.isEmpty {
                if isOptional { return nil }
                let failure = RuleFailure(code: .required, field: traits.key)
                if needsValue { return counts(failure) ? failure : nil }
            }
            for index in rules.indices where !skipped.contains(index) {
                guard var failure = failure(of: index, value, in: values) else { continue }
                if value.isEmpty, sayRequired.contains(index) { failure = RuleFailure(code: .required) }
                failure.field = traits.key
                failure.rule = index
                if counts(failure) { return failure }
            }
            guard var failure = countFailure(in: values) ?? displayFailure(of: value) else { return nil }
            failure.field = traits.key
            return counts(failure) ? failure : nil
        }
    }

    /// Runs one rule on the value, or on each chosen value of a list. For a boolean, true satisfies ``RequiredRule``.
    private func failure(of rule: Int, _ value: UTF8Span, in values: borrowing FormValues) -> RuleFailure? {
        switch traits.kind {
        case .boolean where rules[rule] is RequiredRule:
            return values.value(of: traits.key) == .boolean(true) ? nil : RuleFailure(code: .required)
        case .choices where !(rules[rule] is RequiredRule):
            for element in values.elements(of: traits.key) {
                if let failure = rules[rule].check(element.utf8Span, in: values) { return failure }
            }
            return nil
        case .text, .multiline, .choice, .choices, .boolean, .date: return rules[rule].check(value, in: values)
        }
    }

    /// The failure if too few or too many values are chosen.
    private func countFailure(in values: borrowing FormValues) -> RuleFailure? {
        guard traits.kind == .choices else { return nil }
        let count = values.elements(of: traits.key).count
        if let minimum = optionCount.minimum, count < minimum {
            return RuleFailure(code: .tooFew, values: ["minimum": .integer(minimum)])
        }
        if let maximum = optionCount.maximum, count > maximum {
            return RuleFailure(code: .tooMany, values: ["maximum": .integer(maximum)])
        }
        return nil
    }

    // Attributes are shown to other users, and control characters could manipulate their terminals.
    private func displayFailure(of value: UTF8Span) -> RuleFailure? {
        guard isAttribute else { return nil }
        let violation = DisplayText.violation(in: value, allowsLineFeeds: traits.kind == .multiline)
        return violation == nil ? nil : RuleFailure(code: .unprintable)
    }

    /// The first rule that requires a length of more than one character.
    var demandedLength: (any LengthDemandingRule)? {
        for rule in rules {
            if let rule = rule as? any LengthDemandingRule, rule.unit.countsCharacters, rule.length > 1 { return rule }
        }
        return nil
    }

    /// The number of missing characters; nil if the value is empty or `failure` does not concern its length.
    func missing(for failure: RuleFailure, in values: borrowing FormValues) -> Int? {
        guard let place = failure.rule, let rule = rules[place] as? any LengthDemandingRule else { return nil }
        return values.withValue(of: traits.key) { $0.isEmpty ? nil : rule.missing(in: $0) }
    }
}
