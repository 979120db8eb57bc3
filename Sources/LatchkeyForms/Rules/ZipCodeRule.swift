import LatchkeyText

/// Holds for a text that is written as the postal codes of a country are; whether there is such a code, it cannot know.
///
/// Letters may be of either case. A space or a hyphen stands where the country has it, once; most may be left out.
public struct ZipCodeRule: DescribedRule {
    public static let name = "zipCode"
    public let code = RuleFailure.Code.zip

    /// By ISO 3166-1's two letters.
    public let country: String
    private let patterns: [Pattern]

    /// Nil for a country whose codes are not known.
    public init?(country: String) {
        guard let patterns = PostalCodes.patterns(of: country) else { return nil }
        self.country = country
        self.patterns = patterns
    }

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        let country = try arguments.text("country")
        guard let patterns = PostalCodes.patterns(of: country) else {
            throw arguments.refusal(of: "country", .unknownName("country", country, allowed: PostalCodes.countries))
        }
        self.country = country
        self.patterns = patterns
    }

    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        // What is no ASCII is no code, though some of it (the Kelvin sign) differs from a letter in case alone.
        var text = value
        if text.checkForASCII(), patterns.contains(where: { $0.matchesWhole(value) }) { return nil }
        return RuleFailure(code: code, values: ["country": .text(country)])
    }
}
