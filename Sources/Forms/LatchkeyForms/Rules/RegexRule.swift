public import LatchkeyText

/// Accepts a value if the pattern matches all of it.
public struct RegexRule: DescribedRule {
    public static let name = "regex"
    public static let kinds: Set<FieldKind> = [.text, .multiline]
    public let code = RuleFailure.Code.regex

    /// The pattern.
    public let pattern: Pattern

    /// Creates the rule.
    public init(_ pattern: Pattern) { self.pattern = pattern }

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        pattern = try arguments.pattern("pattern")
    }

    /// Fails with ``RuleFailure/Code/regex``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        pattern.matchesWhole(value) ? nil : RuleFailure(code: code)
    }
}

extension RuleFailure.Code {
    /// The value does not match a pattern.
    public static let regex = Self(rawValue: "regex")
}
