import LatchkeySecrets

/// Accepts a value that equals another field byte for byte. The comparison takes constant time.
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
    /// The value differs from that of the field `other`.
    public static let confirmation = Self(rawValue: "confirmation")
}
