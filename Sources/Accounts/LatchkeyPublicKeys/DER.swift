/// The parts of the Distinguished Encoding Rules (ITU-T X.690) that keys need.
enum DER {
    /// The tag of an INTEGER.
    static let integer: UInt8 = 0x02
    /// The tag of a SEQUENCE.
    static let sequence: UInt8 = 0x30

    /// The tag and the length, up to 65,535, of a value.
    static func head(_ tag: UInt8, _ count: Int) -> [UInt8] {
        let low = UInt8(truncatingIfNeeded: count)
        switch count {
        case 0..<0x80: return [tag, low]
        case 0x80..<0x100: return [tag, 0x81, low]
        default: return [tag, 0x82, UInt8(truncatingIfNeeded: count >> 8), low]
        }
    }

    /// An INTEGER that is not negative, from its big-endian bytes without leading zeros.
    static func integer(_ bytes: [UInt8]) -> [UInt8] {
        let sign: [UInt8] = bytes.first.map { $0 < 0x80 ? [] : [0] } ?? [0]
        return head(integer, sign.count + bytes.count) + sign + bytes
    }

    /// Removes a value with the tag from the start of `bytes`, and returns its contents; nil if there is no such value.
    /// It accepts lengths that are not in the shortest form: compare the encoding of the result.
    static func removeValue(_ tag: UInt8, from bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.popFirst() == tag, let first = bytes.popFirst() else { return nil }
        var count = Int(first)
        if first >= 0x80 {
            guard 0x81...0x82 ~= first, bytes.count >= Int(first & 0x7F) else { return nil }
            count = bytes.prefix(Int(first & 0x7F)).reduce(0) { $0 << 8 | Int($1) }
            bytes = bytes.dropFirst(Int(first & 0x7F))
        }
        guard bytes.count >= count else { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count)
    }
}
