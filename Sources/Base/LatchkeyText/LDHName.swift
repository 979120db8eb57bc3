/// A domain name with labels of letters, digits and hyphens, separated by dots (RFC 1034, section 3.5; RFC 1123,
/// section 2.1). Labels are nonempty, have at most 63 octets, and neither begin nor end with a hyphen.
///
/// It reads the bytes once and allocates nothing. The caller must check the total length.
package struct LDHName: Equatable, Sendable {
    /// The number of labels, at least 1.
    package let labelCount: Int
    /// The range of the last label.
    package let lastLabel: Range<Int>
    /// Whether the last label consists only of letters.
    package let isLastLabelAlphabetic: Bool
    /// Whether a label has hyphens in the third and fourth positions: `xn--` marks punycode, and other such labels are
    /// reserved (RFC 5890, section 2.3.1).
    package let hasReservedLabel: Bool

    /// Parses a name; nil if `bytes` are invalid. A trailing dot is not allowed.
    package init?(_ bytes: Span<UInt8>) {
        var (labels, start) = (1, 0)
        var (isAlphabetic, isReserved) = (true, false)
        // A dot must not follow a dot or a hyphen, and a label must not begin with a hyphen.
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
