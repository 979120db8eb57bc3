/// Holds for two words or more, parted by white space, that have a letter each; more cannot be asked of a name.
public struct FullNameRule: DescribedRule {
    public static let name = "fullName"
    public let code = RuleFailure.Code.fullName

    public init() {}

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {}

    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        Self.words(in: value) >= 2 ? nil : RuleFailure(code: code)
    }

    /// How many words have a letter.
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
