public import LatchkeySecrets

/// The stable, random name of an account: a version 4 UUID (RFC 9562, section 5.4), in lower case.
public struct AccountID: Hashable, Sendable, CustomStringConvertible {
    /// 36 ASCII characters, `xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx`.
    public let text: String

    /// Reads a UUID of any version in its 36-character form, in either case.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return nil }
        for (index, byte) in bytes.enumerated() {
            switch index {
            case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return nil }
            default: guard Character(UnicodeScalar(byte)).isHexDigit else { return nil }
            }
        }
        self.text = text.lowercased()
    }

    /// Makes a new one of 122 random bits.
    public init(from random: RandomSource) throws(RandomSource.Unavailable) {
        var bytes = try random.bytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
            text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        self.text = String(decoding: text, as: UTF8.self)
    }

    public var description: String { text }
}
