import LatchkeyText

/// Validates one field: its limits first, then its rules in order.
struct FieldValidator: Sendable {
    let traits: FieldTraits
    private let isOptional: Bool
    private let isAttribute: Bool
    private let rules: [any Rule]
    /// Positions of rules that are not run. They stay in `rules` because a failure names its rule by position.
    private let skipped: [Int]
    /// The fields that a rule compares this one with.
    let comparedFields: [FieldKey]

    /// - Parameter skips: whether to leave out a rule because something else checks it.
    init(_ field: any FormTextField, skipping skips: (any Rule) -> Bool = { _ in false }) {
        traits = FieldTraits(field)
        isOptional = field.isOptional
        isAttribute = field.isAttribute
        let rules = field.validationRules
        skipped = rules.indices.filter { skips(rules[$0]) }
        self.rules = field.isSecret ? rules.map { $0.onSecret() } : rules
        comparedFields = rules.compactMap { ($0 as? ConfirmationRule)?.field ?? ($0 as? DiffersRule)?.field }
    }

    /// The first failure that `counts`, or nil if none does.
    ///
    /// - Parameters:
    ///   - place: the position of the field in its form, where its value is looked up first.
    ///   - verdicts: answers for the rules of a value that is not empty; nil to run the rules.
    func failure(
        in values: borrowing FormValues, at place: Int, _ verdicts: (any SecretVerdicts)?,
        where counts: (RuleFailure) -> Bool
    ) -> RuleFailure? {
        values.failure(of: traits.key, near: place) { value in
            if isOptional && value.isEmpty { return nil }
            for index in rules.indices where !skipped.contains(index) {
                guard var failure = check(index, value, in: values, verdicts) else { continue }
                failure.field = traits.key
                failure.rule = index
                if counts(failure) { return failure }
            }
            // Attributes are shown to other users: control characters could take over their terminal.
            guard isAttribute, DisplayText.violation(in: value) != nil else { return nil }
            let failure = RuleFailure(code: .unprintable, field: traits.key)
            return counts(failure) ? failure : nil
        }
    }

    private func check(
        _ rule: Int, _ value: UTF8Span, in values: borrowing FormValues, _ verdicts: (any SecretVerdicts)?
    ) -> RuleFailure? {
        guard let verdicts, !value.isEmpty else { return rules[rule].check(value, in: values) }
        return verdicts.failure(of: rule, on: traits.key) { rules[rule].check(value, in: values) }
    }

    /// The first rule that asks for more than one character.
    var demandedLength: (any LengthDemandingRule)? {
        for rule in rules {
            if let rule = rule as? any LengthDemandingRule, rule.unit.countsCharacters, rule.length > 1 { return rule }
        }
        return nil
    }

    /// How many characters the value lacks; nil if it is empty, or if `failure` is not that it is too short.
    func missing(for failure: RuleFailure, in values: borrowing FormValues) -> Int? {
        guard let place = failure.rule, let rule = rules[place] as? any LengthDemandingRule else { return nil }
        return values.withValue(of: traits.key) { $0.isEmpty ? nil : rule.missing(in: $0) }
    }
}

/// The properties of a field that ``FormValues`` needs, copied once from the protocol for speed.
struct FieldTraits: Sendable {
    let key: FieldKey
    let maximumBytes: Int
    let isSecret: Bool
    let trims: Bool

    init(_ field: any FormTextField) {
        key = field.apiKey
        maximumBytes = field.maximumBytes
        isSecret = field.isSecret
        trims = field.trims
    }

    /// Why the field cannot store `text` at all: it is too long or contains a NUL.
    func unusable(_ text: UTF8Span) -> RuleFailure? {
        if text.count > maximumBytes { return tooLong }
        return text.span.firstIndex(of: 0) == nil ? nil : RuleFailure(code: .nul)
    }

    var tooLong: RuleFailure { RuleFailure(code: .tooLong, values: ["maximum": .integer(maximumBytes)]) }
}
