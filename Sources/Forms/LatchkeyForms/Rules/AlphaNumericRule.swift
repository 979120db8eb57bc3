/// Accepts a nonempty value of letters with their marks and decimal digits of any script.
public struct AlphaNumericRule: ArgumentlessRule {
    public static let name = "alphaNumeric"
    public static let kinds: Set<FieldKind> = [.text]
    public let code = RuleFailure.Code.alphaNumeric

    /// Creates the rule.
    public init() {}

    /// Fails with ``RuleFailure/Code/alphaNumeric``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        value.consistsOfLetters(orDigits: true) ? nil : RuleFailure(code: code)
    }
}

extension RuleFailure.Code {
    /// The value contains a character that is not a letter or digit.
    public static let alphaNumeric = Self(rawValue: "alpha_numeric")
}
