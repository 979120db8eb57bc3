/// Accepts a nonempty value of letters of any script with their marks.
public struct AlphaRule: ArgumentlessRule {
    public static let name = "alpha"
    public static let kinds: Set<FieldKind> = [.text]
    public let code = RuleFailure.Code.alpha

    /// Creates the rule.
    public init() {}

    /// Fails with ``RuleFailure/Code/alpha``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        value.consistsOfLetters(orDigits: false) ? nil : RuleFailure(code: code)
    }
}

extension UTF8Span {
    /// Whether the string is nonempty and contains only letters (general category L) and, with `digits`, decimal digits
    /// (Nd).
    ///
    /// A mark (Mn, Mc) after a letter belongs to that letter, such as combining accents or the vowel signs of Hindi and
    /// Thai. Invisible characters do not count as letters, whatever their category.
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

extension RuleFailure.Code {
    /// The value contains a character that is not a letter.
    public static let alpha = Self(rawValue: "alpha")
}
