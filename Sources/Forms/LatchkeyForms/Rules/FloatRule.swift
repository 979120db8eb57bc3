/// Accepts a decimal number within optional bounds: an optional sign, ASCII digits, and an optional point followed by a
/// digit. Exponents, infinity and NaN are refused. The rule compares digits, so that 0.1 is exactly one tenth.
public struct FloatRule: DescribedRule {
    public static let name = "float"
    public static let kinds: Set<FieldKind> = [.text]
    public let code = RuleFailure.Code.float

    /// The bounds of the number.
    public let bounds: DecimalBounds

    /// Creates the rule.
    public init(_ bounds: DecimalBounds = DecimalBounds()) { self.bounds = bounds }

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        bounds = try arguments.bounds(whole: false)
    }

    /// Fails with ``RuleFailure/Code/float``, ``RuleFailure/Code/tooSmall`` or ``RuleFailure/Code/tooLarge``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        guard let parts = DecimalParts(value.span, allowsPoint: true) else {
            return RuleFailure(code: code, values: bounds.values)
        }
        return bounds.failure(of: value.span, parts)
    }
}

extension RuleFailure.Code {
    /// The value is not a decimal number. Values: `minimum` and `maximum`, if there are bounds.
    public static let float = Self(rawValue: "float")
}
