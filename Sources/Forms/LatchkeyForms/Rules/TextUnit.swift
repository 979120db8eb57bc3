import LatchkeyText

/// The unit of a length.
public enum TextUnit: String, Sendable, CaseIterable {
    /// User-perceived characters (UAX #29).
    case graphemes
    /// Code points, the unit of NIST SP 800-63B-4, section 3.1.1.2, for passwords.
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

    /// Like ``count(_:)``, but counts the prepared scalars of a secret, whatever the unit. The length of a password
    /// must not depend on how an accent was typed.
    func count(_ value: UTF8Span, ofSecret isSecret: Bool) -> Int {
        isSecret ? OpaqueString.scalarCount(of: value) : count(value)
    }
}

/// A rule that requires a minimum or exact length.
protocol LengthDemandingRule: Rule {
    /// The required length.
    var length: Int { get }
    /// The unit of the length.
    var unit: TextUnit { get }
    /// The number of missing characters; nil if `value` is long enough or the unit is not characters.
    func missing(in value: UTF8Span) -> Int?
}

extension TextUnit {
    /// Whether the unit is what users call a character.
    var countsCharacters: Bool {
        switch self {
        case .graphemes, .scalars: true
        case .utf16, .bytes: false
        }
    }

    /// The number of characters that are missing from `value` to reach `length`; nil if it is long enough.
    func missing(in value: UTF8Span, ofSecret isSecret: Bool, to length: Int) -> Int? {
        guard countsCharacters else { return nil }
        let missing = length - count(value, ofSecret: isSecret)
        return missing > 0 ? missing : nil
    }
}
