/// A rule that a longer answer could satisfy.
protocol LengthDemandingRule: Rule {
    /// How many characters it asks for.
    var length: Int { get }
    /// What is counted.
    var unit: TextUnit { get }
    /// How many characters `value` lacks; nil where it lacks none, or where what is counted are no characters.
    func missing(in value: UTF8Span) -> Int?
}

extension TextUnit {
    /// Whether what is counted are characters to whoever types them.
    var countsCharacters: Bool {
        switch self {
        case .graphemes, .scalars: true
        case .utf16, .bytes: false
        }
    }

    /// How many characters `value` has fewer than `length`.
    func missing(in value: UTF8Span, ofSecret isSecret: Bool, to length: Int) -> Int? {
        guard countsCharacters else { return nil }
        let missing = length - count(value, ofSecret: isSecret)
        return missing > 0 ? missing : nil
    }
}
