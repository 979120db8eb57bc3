/// Accepts a password with a minimum estimated strength.
///
/// No shipped form uses this rule. NIST SP 800-63B-4 requires a length and a blocklist, and an estimate is only a hint.
public struct StrengthRule: DescribedRule {
    public static let name = "strength"
    public static let kinds: Set<FieldKind> = [.text]
    public let code = RuleFailure.Code.strength

    /// The lowest accepted score, 0 to 4.
    public let score: Int

    /// Creates the rule.
    public init(score: Int) { self.score = score }

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        score = try arguments.integer("score", in: 0...4)
    }

    /// Fails with ``RuleFailure/Code/strength``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        guard score > 0 else { return nil }
        let strength = PasswordStrength.estimate(value)
        guard strength.score < score else { return nil }
        return RuleFailure(
            code: code,
            values: [
                "minimum": .integer(score), "score": .integer(strength.score),
                "advice": .text((strength.advice ?? .addWords).rawValue),
            ])
    }
}

extension RuleFailure.Code {
    /// The password is too easy to guess. Values: `minimum` and `score`, 0 to 4, and `advice`, a
    /// ``PasswordStrength/Advice``.
    public static let strength = Self(rawValue: "strength")
}
