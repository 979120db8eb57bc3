import LatchkeyText

/// Accepts a value in the format of a country's postal codes. It does not check whether the code exists.
///
/// Letters may be upper or lower case. A space or hyphen must be in its usual position, and is optional for most
/// countries.
public struct ZipCodeRule: DescribedRule {
    public static let name = "zipCode"
    public static let kinds: Set<FieldKind> = [.text]
    public let code = RuleFailure.Code.zip

    /// The country, as a two-letter code of ISO 3166-1.
    public let country: String
    private let patterns: [Pattern]

    /// Creates the rule; nil for an unknown country.
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

    /// Fails with ``RuleFailure/Code/zip``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        // Only ASCII is accepted, because a case-insensitive pattern would also match the Kelvin sign.
        var text = value
        if text.checkForASCII(), patterns.contains(where: { $0.matchesWhole(value) }) { return nil }
        return RuleFailure(code: code, values: ["country": .text(country)])
    }
}

extension RuleFailure.Code {
    /// The value is not a postal code of `country`.
    public static let zip = Self(rawValue: "zip_code")
}
