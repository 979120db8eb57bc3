/// Fails when a text has fewer than `length` units.
public struct MinLengthRule: DescribedRule {
    public static let name = "minLength"
    public let code = RuleFailure.Code.minLength

    public let length: Int
    public let unit: TextUnit

    public init(_ length: Int, unit: TextUnit = .graphemes) {
        self.length = length
        self.unit = unit
    }

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        length = try arguments.length()
        unit = try arguments.textUnit()
    }

    public func onSecret() -> any Rule { MinLengthRule(length, unit: .scalars) }

    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        guard unit.count(value) < length else { return nil }
        return RuleFailure(code: code, values: ["minimum": .integer(length)])
    }
}
