/// Converts bytes to hexadecimal digits and back.
//
// Without `@usableFromInline`, `@inlinable` has no effect on the members of a package type.
@usableFromInline
package enum Hexadecimal {
    /// The lower-case digits of `bytes`.
    @inlinable
    package static func text(of bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes {
            text.append(digit(byte >> 4))
            text.append(digit(byte & 15))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The lower-case digit of a value from 0 to 15.
    @inlinable
    package static func digit(_ value: UInt8) -> UInt8 { value + (value < 10 ? 0x30 : 0x57) }

    /// The two upper-case digits of a byte.
    package static func capitals(of byte: UInt8) -> [UInt8] {
        [byte >> 4, byte & 15].map { $0 + ($0 < 10 ? 0x30 : 0x37) }
    }

    /// The value of a digit in upper or lower case; nil for any other byte.
    @inlinable
    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x61...0x66: digit - 0x61 + 10
        case 0x41...0x46: digit - 0x41 + 10
        default: nil
        }
    }

    /// Nil unless the string consists of pairs of hexadecimal digits in upper or lower case.
    package static func bytes(of text: some StringProtocol) -> [UInt8]? {
        let digits = text.utf8.map { value(of: $0) }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
