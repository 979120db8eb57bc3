public import LatchkeyText

/// Accepts only Unicode scalars of one character class. An empty value is valid.
public struct CharacterSetRule: DescribedRule {
    public static let name = "characterSet"
    public static let kinds: Set<FieldKind> = [.text, .multiline]
    public let code = RuleFailure.Code.characterSet

    private let pattern: Pattern

    /// The class, with its brackets.
    public var allowed: String { pattern.source }

    /// Creates the rule.
    ///
    /// - Parameter allowed: a character class in RE2 syntax, with its brackets.
    public init(allowed: String) throws(Pattern.Refusal) { pattern = try Pattern(everyScalarIn: allowed) }

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        pattern = try arguments.characterClass("allowed")
    }

    /// Fails with ``RuleFailure/Code/characterSet``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        pattern.matchesWhole(value) ? nil : RuleFailure(code: code, values: ["allowed": .text(allowed)])
    }
}

extension RuleFailure.Code {
    /// The value contains characters outside the class `allowed`.
    public static let characterSet = Self(rawValue: "character_set")
}
