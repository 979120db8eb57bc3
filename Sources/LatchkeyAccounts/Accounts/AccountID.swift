public import LatchkeySecrets

/// The permanent, random ID of an account: a version 4 UUID (RFC 9562, section 5.4) in lower case.
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

    /// Creates a new ID from 122 random bits.
    public init(from random: RandomSource) throws(RandomSource.Unavailable) {
        var bytes = try random.bytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for index in bytes.indices {
            if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
            text.append(Self.digit(bytes[index] >> 4))
            text.append(Self.digit(bytes[index] & 15))
        }
        self.text = String(decoding: text, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 { value + (value < 10 ? 0x30 : 0x57) }

    public var description: String { text }
}
