/// Holds for one letter of any script or more, with their marks, and nothing else.
public struct AlphaRule: DescribedRule {
    public static let name = "alpha"
    public let code = RuleFailure.Code.alpha

    public init() {}

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {}

    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        value.consistsOfLetters(orDigits: false) ? nil : RuleFailure(code: code)
    }
}

extension UTF8Span {
    /// Whether there is at least one character, and each is a letter (general category L) or, with `digits`, a decimal
    /// digit (Nd).
    ///
    /// A mark (Mn, Mc) that follows a letter belongs to it: accents that are written apart, and the vowel signs without
    /// which no word of Hindi or Thai can be spelt. What is invisible is no letter, whatever its category.
    func consistsOfLetters(orDigits digits: Bool) -> Bool {
        var scalars = makeUnicodeScalarIterator()
        var followsLetter = false
        while let scalar = scalars.next() {
            let properties = scalar.properties
            guard !properties.isDefaultIgnorableCodePoint else { return false }
            switch properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
                followsLetter = true
            case .nonspacingMark, .spacingMark:
                guard followsLetter else { return false }
            case .decimalNumber:
                guard digits else { return false }
                followsLetter = false
            default: return false
            }
        }
        return !isEmpty
    }
}
