import LatchkeyText

/// The unit of a length.
public enum TextUnit: String, Sendable, CaseIterable {
    /// User-perceived characters (UAX #29).
    case graphemes
    /// Code points. NIST SP 800-63B-4, section 3.1.1.2, counts passwords in them.
    case scalars
    /// UTF-16 code units, as in JavaScript and Java.
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

/// A rule that requires a length.
protocol LengthDemandingRule: Rule {
    /// The length.
    var length: Int { get }
    /// The unit of the length.
    var unit: TextUnit { get }
    /// The number of missing characters; nil if `value` is long enough, or if the unit is not characters.
    func missing(in value: UTF8Span) -> Int?
}

extension TextUnit {
    /// Whether users would call the unit a character.
    var countsCharacters: Bool {
        switch self {
        case .graphemes, .scalars: true
        case .utf16, .bytes: false
        }
    }

    /// The number of characters that `value` lacks to reach `length`; nil if it is long enough.
    func missing(in value: UTF8Span, ofSecret isSecret: Bool, to length: Int) -> Int? {
        guard countsCharacters else { return nil }
        let missing = length - count(value, ofSecret: isSecret)
        return missing > 0 ? missing : nil
    }
}
