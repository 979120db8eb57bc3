/// Accepts an absolute URL with a host, valid according to the WHATWG URL standard ("URL writing", August 2026).
public struct URLRule: DescribedRule {
    public static let name = "url"
    public static let kinds: Set<FieldKind> = [.text]
    public let code = RuleFailure.Code.url

    /// The accepted schemes without the colon, compared without regard to case.
    public let schemes: [String]

    /// Creates the rule.
    public init(schemes: [String] = ["http", "https"]) { self.schemes = schemes }

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        schemes = try arguments.optionalTexts("schemes") ?? URLRule().schemes
        if let other = schemes.first(where: { !URLText.isScheme($0.utf8Span.span) }) {
            throw arguments.refusal(of: "schemes", .badScheme(other))
        }
    }

    /// Fails with ``RuleFailure/Code/url``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        if schemes.contains(where: { URLText.isValid(value.span, scheme: $0.utf8Span.span) }) { return nil }
        return RuleFailure(code: code, values: ["schemes": .text(schemes.joined(separator: ", "))])
    }
}

extension RuleFailure.Code {
    /// The value is not a valid URL. Values: `schemes`.
    public static let url = Self(rawValue: "url")
}
