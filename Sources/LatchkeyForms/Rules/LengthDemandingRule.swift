/// A rule that a longer answer could satisfy.
protocol LengthDemandingRule: Rule {
    /// How many characters `value` lacks; nil where it lacks none, or where what is counted are no characters.
    func missing(in value: UTF8Span) -> Int?
}

extension TextUnit {
    /// How many characters `value` has fewer than `length`.
    func missing(in value: UTF8Span, ofSecret isSecret: Bool, to length: Int) -> Int? {
        switch self {
        case .graphemes, .scalars: break
        case .utf16, .bytes: return nil
        }
        let missing = length - count(value, ofSecret: isSecret)
        return missing > 0 ? missing : nil
    }
}
