import Glibc

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

extension Span<UInt8> {
    /// Where `byte` stands first, at `start` or behind it. A loop would take minutes for a gigabyte that somebody sends.
    package func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
        unsafe withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress,
                let found = unsafe memchr(base + start, Int32(byte), buffer.count - start)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
    }
}
