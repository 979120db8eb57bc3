/// Holds for one or more letters, with their marks, and decimal digits of any script, and nothing else.
public struct AlphaNumericRule: DescribedRule {
    public static let name = "alphaNumeric"
    public let code = RuleFailure.Code.alphaNumeric

    public init() {}

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {}

    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        value.consistsOfLetters(orDigits: true) ? nil : RuleFailure(code: code)
    }
}
