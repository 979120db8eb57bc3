/// Accepts only the listed values. The comparison uses NFC and is case-sensitive.
public struct OneOfRule: DescribedRule {
    public static let name = "oneOf"
    public static let kinds: Set<FieldKind> = [.text, .choice, .choices]
    public let code = RuleFailure.Code.oneOf

    private let listed: [ComparedText]

    /// The accepted values.
    public var values: [String] { listed.map(\.text) }

    /// Creates the rule.
    public init(_ values: [String]) { listed = values.map(ComparedText.init) }

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        self.init(try arguments.texts("values"))
    }

    /// Fails with ``RuleFailure/Code/oneOf``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        guard !listed.contains(value) else { return nil }
        return RuleFailure(code: code, values: ["values": .text(values.joined(separator: ", "))])
    }
}

extension RuleFailure.Code {
    /// The value is not one of `values`.
    public static let oneOf = Self(rawValue: "one_of")
}
