import LatchkeySecrets

/// Refuses a value that equals another field byte for byte. The comparison takes constant time.
public struct DiffersRule: DescribedRule {
    public static let name = "differs"
    public static let kinds: Set<FieldKind> = [.text, .multiline, .choice, .date]
    public let code = RuleFailure.Code.differs

    /// The field to compare with.
    public let field: FieldKey

    /// Creates the rule.
    public init(field: FieldKey) { self.field = field }

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        field = try arguments.otherField()
    }

    /// Fails with ``RuleFailure/Code/differs``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        let isSame = form.withValue(of: field) { ConstantTime.areEqual(value.span, $0.span) }
        return isSame ? RuleFailure(code: code, values: ["other": .text(field.rawValue)]) : nil
    }
}

extension RuleFailure.Code {
    /// The value is the same as that of the field `other`.
    public static let differs = Self(rawValue: "differs")
}
