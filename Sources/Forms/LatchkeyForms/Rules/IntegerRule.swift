/// Accepts a whole number within optional bounds: an optional sign and any number of ASCII digits.
public struct IntegerRule: DescribedRule {
    public static let name = "integer"
    public static let kinds: Set<FieldKind> = [.text]
    public let code = RuleFailure.Code.integer

    /// The bounds of the number.
    public let bounds: DecimalBounds

    /// Creates the rule.
    public init(_ bounds: DecimalBounds = DecimalBounds()) { self.bounds = bounds }

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        bounds = try arguments.bounds(whole: true)
    }

    /// Fails with ``RuleFailure/Code/integer``, ``RuleFailure/Code/tooSmall`` or ``RuleFailure/Code/tooLarge``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        guard let parts = DecimalParts(value.span, allowsPoint: false) else {
            return RuleFailure(code: code, values: bounds.values)
        }
        return bounds.failure(of: value.span, parts)
    }
}

extension RuleFailure.Code {
    /// The value is not a whole number. Values: `minimum` and `maximum`, if there are bounds.
    public static let integer = Self(rawValue: "integer")
}
