/// Refuses the listed values. The comparison uses NFC and is case-sensitive.
public struct NoneOfRule: DescribedRule {
    public static let name = "noneOf"
    public static let kinds: Set<FieldKind> = [.text, .multiline, .choice, .date]
    public let code = RuleFailure.Code.noneOf

    private let listed: [ComparedText]

    /// Creates the rule.
    public init(_ values: [String]) { listed = values.map(ComparedText.init) }

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        self.init(try arguments.texts("values"))
    }

    /// Fails with ``RuleFailure/Code/noneOf``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        guard listed.contains(value) else { return nil }
        return RuleFailure(code: code, values: ["values": .text(listed.map(\.text).joined(separator: ", "))])
    }
}

extension RuleFailure.Code {
    /// The value is one of `values`.
    public static let noneOf = Self(rawValue: "none_of")
}
