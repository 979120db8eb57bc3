/// A name of letters, digits and hyphens in labels between dots (RFC 1034, section 3.5, as RFC 1123, section 2.1,
/// amends it): none of the labels empty, longer than 63 octets, or with a hyphen at an end.
///
/// Reads the bytes once and allocates nothing. How long the whole may be is for the caller to say.
public struct LDHName: Equatable, Sendable {
    /// One or more.
    public let labelCount: Int
    /// Where the last label stands.
    public let lastLabel: Range<Int>
    /// Whether the last label has nothing but letters.
    public let isLastLabelAlphabetic: Bool
    /// Whether a label has hyphens in its third and fourth place: `xn--` is punycode, all others are nothing yet
    /// (RFC 5890, section 2.3.1).
    public let hasReservedLabel: Bool

    /// Nil where `bytes` are no such name; a dot at the end is one too many.
    public init?(_ bytes: Span<UInt8>) {
        var (labels, start) = (1, 0)
        var (isAlphabetic, isReserved) = (true, false)
        // A dot and a hyphen may stand only where `previous` is neither, and end nothing.
        var previous = Self.dot
        for index in bytes.indices {
            let byte = bytes[index]
            defer { previous = byte }
            if UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 { continue }
            if UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte {
                isAlphabetic = false
            } else if byte == Self.hyphen, previous != Self.dot {
                isAlphabetic = false
                if index == start + 3, previous == Self.hyphen { isReserved = true }
            } else if byte == Self.dot, previous != Self.dot, previous != Self.hyphen, index - start <= 63 {
                labels += 1
                start = index + 1
                isAlphabetic = true
            } else {
                return nil
            }
        }
        guard previous != Self.dot, previous != Self.hyphen, bytes.count - start <= 63 else { return nil }
        labelCount = labels
        lastLabel = start..<bytes.count
        isLastLabelAlphabetic = isAlphabetic
        hasReservedLabel = isReserved
    }

    private static let dot = UInt8(ascii: ".")
    private static let hyphen = UInt8(ascii: "-")
}
