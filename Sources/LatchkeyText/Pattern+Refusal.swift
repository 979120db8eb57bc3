extension Pattern {
    /// Why a source is no pattern.
    public enum Refusal: Error, Equatable, Sendable {
        /// More than ``Pattern/maximumSourceBytes``.
        case tooLong
        /// RE2 cannot read it.
        case malformed(Mistake)
        /// It compiles to more than ``Pattern/maximumMemory``.
        case tooLarge
        /// It is something other than one character class in brackets, where that is asked for.
        case notOneClass
    }

    /// What RE2 says is wrong, by the numbers of its `RE2::ErrorCode`.
    public enum Mistake: Int32, Sendable, CaseIterable {
        /// RE2 failed, and the pattern is not to blame.
        case `internal` = 1
        case badEscape, badCharacterClass, badCharacterRange, missingBracket, missingParenthesis
        case unexpectedParenthesis, trailingBackslash
        /// `*` and its like with nothing before it.
        case repeatArgument
        /// A count over 1000, or of which the greatest comes first.
        case repeatSize
        /// Two of `*`, `+` and `?` in a row that mean nothing.
        case repeatOperator
        /// `(?` with something after it that RE2 does not have, such as look-around.
        case badPerlOperator
        case badUTF8, badNamedCapture

        /// In snake case, for ever the same.
        public var code: String {
            switch self {
            case .internal: "internal"
            case .badEscape: "bad_escape"
            case .badCharacterClass: "bad_character_class"
            case .badCharacterRange: "bad_character_range"
            case .missingBracket: "missing_bracket"
            case .missingParenthesis: "missing_parenthesis"
            case .unexpectedParenthesis: "unexpected_parenthesis"
            case .trailingBackslash: "trailing_backslash"
            case .repeatArgument: "repeat_argument"
            case .repeatSize: "repeat_size"
            case .repeatOperator: "repeat_operator"
            case .badPerlOperator: "bad_perl_operator"
            case .badUTF8: "bad_utf8"
            case .badNamedCapture: "bad_named_capture"
            }
        }
    }
}
