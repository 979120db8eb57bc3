/// Holds for a password whose estimate is high enough; what people choose who are not told otherwise, is not.
///
/// No form that comes with Latchkey asks for it: NIST SP 800-63B-4 asks for length and a list, and an estimate is a hint.
public struct StrengthRule: DescribedRule {
    public static let name = "strength"
    public let code = RuleFailure.Code.strength

    /// The lowest that holds, 0 to 4.
    public let score: Int

    public init(score: Int) { self.score = score }

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        score = try arguments.integer("score", in: 0...4)
    }

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
