/// Holds for an absolute URL that is valid as the WHATWG URL standard has it ("URL writing", August 2026), with a host.
public struct URLRule: DescribedRule {
    public static let name = "url"
    public let code = RuleFailure.Code.url

    /// What a URL may begin with, without the colon; case does not count.
    public let schemes: [String]

    public init(schemes: [String] = ["http", "https"]) { self.schemes = schemes }

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        schemes = try arguments.optionalTexts("schemes") ?? URLRule().schemes
        if let other = schemes.first(where: { !URLText.isScheme($0.utf8Span.span) }) {
            throw arguments.refusal(of: "schemes", .badName("schemes", other))
        }
    }

    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        if schemes.contains(where: { URLText.isValid(value.span, scheme: $0.utf8Span.span) }) { return nil }
        return RuleFailure(code: code, values: ["schemes": .text(schemes.joined(separator: ", "))])
    }
}
