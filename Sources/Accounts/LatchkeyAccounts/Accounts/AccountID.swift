public import LatchkeySecrets

/// The permanent, random ID of an account: a version 4 UUID (RFC 9562, section 5.4).
public struct AccountID: Hashable, Sendable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// Parses a UUID of any version in its 36-character form, in upper or lower case.
    public init?(_ text: String) {
        var halves: (UInt64, UInt64) = (0, 0)
        var count = 0
        for byte in text.utf8 {
            switch count {
            case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return nil }
            default:
                guard let digit = Hexadecimal.value(of: byte) else { return nil }
                if count < 18 {
                    halves.0 = halves.0 << 4 | UInt64(digit)
                } else {
                    halves.1 = halves.1 << 4 | UInt64(digit)
                }
            }
            count += 1
        }
        guard count == 36 else { return nil }
        (high, low) = halves
    }

    /// Creates an ID from the 16 bytes of a UUID of any version; nil for any other number of bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Creates a new ID from 122 random bits.
    public init(from random: RandomSource) throws(RandomSource.Unavailable) {
        self.init(random: try random.bytes(16)[...])
    }

    /// Creates up to 16 new IDs with one random read.
    package static func several(_ count: Int, from random: RandomSource) throws(RandomSource.Unavailable) -> [AccountID]
    {
        let count = min(max(count, 0), 16)
        let bytes = try random.bytes(16 * count)
        return (0..<count).map { AccountID(random: bytes[(16 * $0)..<(16 * $0 + 16)]) }
    }

    /// - Parameter random: 16 bytes, of which 122 bits are used.
    init(random bytes: ArraySlice<UInt8>) {
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } & ~0xF000 | 0x4000
        low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) } & ~(3 << 62) | 1 << 63
    }

    /// The 16 bytes of the UUID, most significant byte first.
    package var bytes: [UInt8] {
        unsafe withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { unsafe Array($0) }
    }

    /// The ID in 36 lower-case ASCII characters, `xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx`.
    public var text: String {
        unsafe String(unsafeUninitializedCapacity: 36) { characters in
            var place = 0
            for half in [high, low] {
                for shift in stride(from: 60, through: 0, by: -4) {
                    if place == 8 || place == 13 || place == 18 || place == 23 {
                        unsafe characters[place] = UInt8(ascii: "-")
                        place += 1
                    }
                    unsafe characters[place] = Hexadecimal.digit(UInt8(truncatingIfNeeded: half >> shift & 0xF))
                    place += 1
                }
            }
            return 36
        }
    }

    public var description: String { text }
}
