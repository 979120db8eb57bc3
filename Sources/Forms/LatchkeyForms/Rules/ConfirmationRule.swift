import LatchkeySecrets

/// Accepts a value that equals that of another field byte for byte, compared in constant time.
public struct ConfirmationRule: DescribedRule {
    public static let name = "confirmation"
    public static let kinds: Set<FieldKind> = [.text]
    public let code = RuleFailure.Code.confirmation

    /// The field to compare with.
    public let field: FieldKey

    /// Creates the rule.
    public init(field: FieldKey) { self.field = field }

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        field = try arguments.otherField()
    }

    /// Fails with ``RuleFailure/Code/confirmation``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        let isSame = form.withValue(of: field) { ConstantTime.areEqual(value.span, $0.span) }
        return isSame ? nil : RuleFailure(code: code, values: ["other": .text(field.rawValue)])
    }
}

extension RuleFailure.Code {
    /// Not the same as the field `other`.
    public static let confirmation = Self(rawValue: "confirmation")
}
