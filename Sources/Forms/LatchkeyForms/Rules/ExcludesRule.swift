/// Refuses a value that contains a string. The comparison uses NFC and is case-sensitive.
public struct ExcludesRule: DescribedRule {
    public static let name = "excludes"
    public static let kinds: Set<FieldKind> = [.text, .multiline]
    public let code = RuleFailure.Code.excludes

    private let text: ComparedText

    /// Creates the rule.
    public init(_ text: String) { self.text = ComparedText(text) }

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        self.init(try arguments.text("text"))
    }

    /// Fails with ``RuleFailure/Code/excludes``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        guard text.isPart(of: value) else { return nil }
        return RuleFailure(code: code, values: ["text": .text(text.text)])
    }
}

extension RuleFailure.Code {
    /// The value contains `text`.
    public static let excludes = Self(rawValue: "excludes")
}
