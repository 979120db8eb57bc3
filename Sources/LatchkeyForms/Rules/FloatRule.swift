/// Holds for a decimal number within bounds: an optional sign, and ASCII digits with or without a point that has a digit
/// after it. No exponent, infinity or NaN; compared digit by digit, so that 0.1 is a tenth and nothing else.
public struct FloatRule: DescribedRule {
    public static let name = "float"
    public let code = RuleFailure.Code.float

    public let bounds: DecimalBounds

    public init(_ bounds: DecimalBounds = DecimalBounds()) { self.bounds = bounds }

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        bounds = try arguments.bounds(whole: false)
    }

    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        guard let parts = DecimalParts(value.span, allowsPoint: true) else {
            return RuleFailure(code: code, values: bounds.values)
        }
        return bounds.failure(of: value.span, parts)
    }
}
