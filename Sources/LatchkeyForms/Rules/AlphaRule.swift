/// Holds for one letter of any script or more, with their marks, and nothing else.
public struct AlphaRule: DescribedRule {
    public static let name = "alpha"
    public let code = RuleFailure.Code.alpha

    public init() {}

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {}

    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        value.consistsOfLetters(orDigits: false) ? nil : RuleFailure(code: code)
    }
}
