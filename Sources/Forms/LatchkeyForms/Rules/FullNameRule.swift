/// Accepts two or more words separated by white space, each with at least one letter.
public struct FullNameRule: ArgumentlessRule {
    public static let name = "fullName"
    public static let kinds: Set<FieldKind> = [.text]
    public let code = RuleFailure.Code.fullName

    /// Creates the rule.
    public init() {}

    /// Fails with ``RuleFailure/Code/fullName``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        Self.words(in: value) >= 2 ? nil : RuleFailure(code: code)
    }

    /// The number of words that contain a letter.
    private static func words(in value: UTF8Span) -> Int {
        var scalars = value.makeUnicodeScalarIterator()
        var words = 0
        var isInWord = false
        while let scalar = scalars.next() {
            if scalar.properties.isWhitespace {
                isInWord = false
            } else if !isInWord, scalar.properties.isAlphabetic {
                isInWord = true
                words += 1
            }
        }
        return words
    }
}

extension RuleFailure.Code {
    /// The value has fewer than two words.
    public static let fullName = Self(rawValue: "full_name")
}
