/// Accepts only letters of any script with their marks, at least one.
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
    /// Whether the string is not empty and has only letters (general category L) and, with `digits`, decimal digits
    /// (Nd).
    ///
    /// A mark (Mn, Mc) after a letter belongs to it: combining accents, and the vowel signs that Hindi and Thai need.
    /// Invisible characters do not count as letters, whatever their category.
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
    /// Contains something other than letters.
    public static let alpha = Self(rawValue: "alpha")
}
