import LatchkeyText

/// What a length counts.
public enum TextUnit: String, Sendable, CaseIterable {
    /// What a person sees as one character (UAX #29).
    case graphemes
    /// Code points, as NIST SP 800-63B-4, section 3.1.1.2 counts passwords.
    case scalars
    /// As JavaScript and Java count.
    case utf16
    /// Of UTF-8.
    case bytes

    /// How many units `value` has.
    public func count(_ value: UTF8Span) -> Int {
        switch self {
        case .graphemes: value.graphemeCount
        case .scalars: value.scalarCount
        case .utf16: value.utf16Count
        case .bytes: value.count
        }
    }

    /// The same, or for a secret how many scalars it has when it is prepared, whatever the unit: what is counted of a
    /// password must not depend on how an accent was typed.
    func count(_ value: UTF8Span, ofSecret isSecret: Bool) -> Int {
        isSecret ? OpaqueString.scalarCount(of: value) : count(value)
    }
}

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
