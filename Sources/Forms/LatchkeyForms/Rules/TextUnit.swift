import LatchkeyText

/// The unit of a length.
public enum TextUnit: String, Sendable, CaseIterable {
    /// Characters as people see them (UAX #29).
    case graphemes
    /// Code points, in which NIST SP 800-63B-4, section 3.1.1.2, counts passwords.
    case scalars
    /// UTF-16 code units, in which JavaScript and Java count.
    case utf16
    /// Bytes of UTF-8.
    case bytes

    /// The length of `value` in this unit.
    public func count(_ value: UTF8Span) -> Int {
        switch self {
        case .graphemes: value.graphemeCount
        case .scalars: value.scalarCount
        case .utf16: value.utf16Count
        case .bytes: value.count
        }
    }

    /// Like ``count(_:)``. Counts the prepared scalars of a secret instead, whatever the unit, because the length of a
    /// password must not depend on how an accent was typed.
    func count(_ value: UTF8Span, ofSecret isSecret: Bool) -> Int {
        isSecret ? OpaqueString.scalarCount(of: value) : count(value)
    }
}

/// A rule that demands a length.
protocol LengthDemandingRule: Rule {
    /// The length.
    var length: Int { get }
    /// The unit of the length.
    var unit: TextUnit { get }
    /// How many characters `value` lacks; nil if it is long enough, or if the unit is not characters.
    func missing(in value: UTF8Span) -> Int?
}

extension TextUnit {
    /// Whether people would call the unit a character.
    var countsCharacters: Bool {
        switch self {
        case .graphemes, .scalars: true
        case .utf16, .bytes: false
        }
    }

    /// How many characters `value` is shorter than `length`; nil if it is long enough.
    func missing(in value: UTF8Span, ofSecret isSecret: Bool, to length: Int) -> Int? {
        guard countsCharacters else { return nil }
        let missing = length - count(value, ofSecret: isSecret)
        return missing > 0 ? missing : nil
    }
}
