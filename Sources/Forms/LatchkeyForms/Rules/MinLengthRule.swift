/// Accepts a value of at least `length` units.
public struct MinLengthRule: DescribedRule {
    public static let name = "minLength"
    public static let kinds: Set<FieldKind> = [.text, .multiline]
    public let code = RuleFailure.Code.minLength

    /// The minimum length.
    public let length: Int
    /// The unit of the length.
    public let unit: TextUnit
    private var isOnSecret = false

    /// Creates the rule.
    public init(_ length: Int, unit: TextUnit = .graphemes) {
        self.length = length
        self.unit = unit
    }

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        length = try arguments.length()
        unit = try arguments.textUnit()
    }

    /// A copy that counts prepared code points.
    public func onSecret() -> any Rule {
        var rule = self
        rule.isOnSecret = true
        return rule
    }

    /// Fails with ``RuleFailure/Code/minLength``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        guard unit.count(value, ofSecret: isOnSecret) < length else { return nil }
        return RuleFailure(code: code, values: ["minimum": .integer(length)])
    }
}

extension MinLengthRule: LengthDemandingRule {
    func missing(in value: UTF8Span) -> Int? { unit.missing(in: value, ofSecret: isOnSecret, to: length) }
}

extension RuleFailure.Code {
    /// The value is shorter than `minimum`.
    public static let minLength = Self(rawValue: "min_length")
}
