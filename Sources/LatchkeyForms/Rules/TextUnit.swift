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
