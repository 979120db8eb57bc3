/// Fails when a text has more or fewer than `length` units.
public struct ExactLengthRule: DescribedRule {
    public static let name = "exactLength"
    public let code = RuleFailure.Code.exactLength

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

    public func onSecret() -> any Rule { ExactLengthRule(length, unit: .scalars) }

    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        guard unit.count(value) != length else { return nil }
        return RuleFailure(code: code, values: ["length": .integer(length)])
    }
}
