/// A set of ASCII characters: one bit for each, so that a pass over bytes asks without a search.
public struct ASCIISet: Sendable {
    private let low: UInt64
    private let high: UInt64

    /// - Parameter members: ASCII; what is beyond is left out.
    public init(_ members: StaticString) {
        var (low, high): (UInt64, UInt64) = (0, 0)
        for byte in members.description.utf8 where byte < 0x80 {
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
        }
        (self.low, self.high) = (low, high)
    }

    /// False for a byte beyond ASCII.
    public func contains(_ byte: UInt8) -> Bool {
        byte < 0x80 && (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 == 1
    }
}
