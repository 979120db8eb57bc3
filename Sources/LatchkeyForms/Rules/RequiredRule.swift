/// Holds for a text of at least one character.
public struct RequiredRule: DescribedRule {
    public static let name = "required"
    public let code = RuleFailure.Code.required

    public init() {}

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {}

    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        value.isEmpty ? RuleFailure(code: code) : nil
    }
}
