/// Holds for a text of U+0000 to U+007F alone. It bounds a text and asks for none: an empty one holds.
public struct ASCIIRule: DescribedRule {
    public static let name = "ascii"
    public let code = RuleFailure.Code.ascii

    public init() {}

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {}

    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        value.span.indices.allSatisfy { value.span[$0] < 0x80 } ? nil : RuleFailure(code: code)
    }
}
