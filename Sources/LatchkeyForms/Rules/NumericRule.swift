/// Holds for one ASCII digit or more, and nothing else.
public struct NumericRule: DescribedRule {
    public static let name = "numeric"
    public let code = RuleFailure.Code.numeric

    public init() {}

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {}

    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        !value.isEmpty && value.span.indices.allSatisfy { value.span[$0].isASCIIDigit } ? nil : RuleFailure(code: code)
    }
}
