/// Refuses an empty value.
public struct RequiredRule: ArgumentlessRule {
    public static let name = "required"
    public static let kinds: Set<FieldKind> = Set(FieldKind.allCases)
    public let code = RuleFailure.Code.required

    /// Creates the rule.
    public init() {}

    /// Fails with ``RuleFailure/Code/required``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        value.isEmpty ? RuleFailure(code: code) : nil
    }
}

extension RuleFailure.Code {
    /// The field is empty.
    public static let required = Self(rawValue: "required")
}
