/// The string formats of IP addresses (RFC 4291, section 2.2; RFC 3986, section 3.2.2, for the dotted quad).
enum IPAddress {
    /// Whether `bytes` consist of four numbers up to 255, separated by dots. Leading zeros are refused, because some
    /// programs read such numbers as octal.
    static func isVersion4(_ bytes: Span<UInt8>) -> Bool {
        var numbers = 0
        var start = 0
        for end in 0...bytes.count where end == bytes.count || bytes[end] == UInt8(ascii: ".") {
            guard isOctet(bytes.extracting(start..<end)) else { return false }
            numbers += 1
            start = end + 1
        }
        return numbers == 4
    }

    /// Whether `bytes` consist of eight groups of one to four hexadecimal digits. One `::` may replace one or more
    /// groups of zeros, and a dotted quad may replace the last two groups. Zones are refused.
    ///
    /// - Parameter shortestGroups: whether to refuse leading zeros in a group (RFC 5952, section 4.1).
    static func isVersion6(_ bytes: Span<UInt8>, shortestGroups: Bool = false) -> Bool {
        let colon = UInt8(ascii: ":")
        guard let gap = (0..<max(bytes.count - 1, 0)).first(where: { bytes[$0] == colon && bytes[$0 + 1] == colon })
        else { return groups(in: bytes, mayEndInQuad: true, shortest: shortestGroups) == 8 }
        let before = bytes.extracting(..<gap)
        let after = bytes.extracting((gap + 2)...)
        guard let left = before.isEmpty ? 0 : groups(in: before, mayEndInQuad: false, shortest: shortestGroups),
            let right = after.isEmpty ? 0 : groups(in: after, mayEndInQuad: true, shortest: shortestGroups)
        else { return false }
        return left + right <= 7
    }

    /// The number of 16-bit groups, separated by colons; nil if the bytes are malformed.
    private static func groups(in bytes: Span<UInt8>, mayEndInQuad: Bool, shortest: Bool) -> Int? {
        var count = 0
        var start = 0
        for end in 0...bytes.count where end == bytes.count || bytes[end] == UInt8(ascii: ":") {
            let group = bytes.extracting(start..<end)
            if 1...4 ~= group.count, group.indices.allSatisfy({ group[$0].isASCIIHexDigit }) {
                if shortest, group.count > 1, group[0] == UInt8(ascii: "0") { return nil }
                count += 1
            } else if mayEndInQuad, end == bytes.count, isVersion4(group) {
                count += 2
            } else {
                return nil
            }
            start = end + 1
        }
        return count
    }

    private static func isOctet(_ bytes: Span<UInt8>) -> Bool {
        guard 1...3 ~= bytes.count, bytes.indices.allSatisfy({ bytes[$0].isASCIIDigit }) else { return false }
        guard bytes.count == 1 || bytes[0] != UInt8(ascii: "0") else { return false }
        return bytes.indices.reduce(0) { $0 * 10 + bytes[$1].digitValue } <= 255
    }
}
