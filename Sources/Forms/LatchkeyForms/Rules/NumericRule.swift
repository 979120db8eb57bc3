/// Accepts a nonempty value of ASCII digits.
public struct NumericRule: ArgumentlessRule {
    public static let name = "numeric"
    public static let kinds: Set<FieldKind> = [.text]
    public let code = RuleFailure.Code.numeric

    /// Creates the rule.
    public init() {}

    /// Fails with ``RuleFailure/Code/numeric``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        !value.isEmpty && value.span.indices.allSatisfy { value.span[$0].isASCIIDigit } ? nil : RuleFailure(code: code)
    }
}

extension RuleFailure.Code {
    /// The value contains a character that is not a digit.
    public static let numeric = Self(rawValue: "numeric")
}
