/// Accepts a value of at most `length` units.
public struct MaxLengthRule: DescribedRule {
    public static let name = "maxLength"
    public static let kinds: Set<FieldKind> = [.text, .multiline]
    public let code = RuleFailure.Code.maxLength

    /// The maximum length.
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

    /// Fails with ``RuleFailure/Code/maxLength``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        guard unit.count(value, ofSecret: isOnSecret) > length else { return nil }
        return RuleFailure(code: code, values: ["maximum": .integer(length)])
    }
}

extension RuleFailure.Code {
    /// The value is longer than `maximum`.
    public static let maxLength = Self(rawValue: "max_length")
}
