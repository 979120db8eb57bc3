/// Accepts only ASCII characters (U+0000 to U+007F). An empty value is valid.
public struct ASCIIRule: ArgumentlessRule {
    public static let name = "ascii"
    public static let kinds: Set<FieldKind> = [.text, .multiline]
    public let code = RuleFailure.Code.ascii

    /// Creates the rule.
    public init() {}

    /// Fails with ``RuleFailure/Code/ascii``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        value.span.indices.allSatisfy { value.span[$0] < 0x80 } ? nil : RuleFailure(code: code)
    }
}

extension RuleFailure.Code {
    /// The value contains a character outside ASCII.
    public static let ascii = Self(rawValue: "ascii")
}
