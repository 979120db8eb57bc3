/// Fails when a text has more than `length` units.
public struct MaxLengthRule: DescribedRule {
    public static let name = "maxLength"
    public let code = RuleFailure.Code.maxLength

    public let length: Int
    public let unit: TextUnit
    private var isOnSecret = false

    public init(_ length: Int, unit: TextUnit = .graphemes) {
        self.length = length
        self.unit = unit
    }

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        length = try arguments.length()
        unit = try arguments.textUnit()
    }

    public func onSecret() -> any Rule {
        var rule = self
        rule.isOnSecret = true
        return rule
    }

    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        guard unit.count(value, ofSecret: isOnSecret) > length else { return nil }
        return RuleFailure(code: code, values: ["maximum": .integer(length)])
    }
}
