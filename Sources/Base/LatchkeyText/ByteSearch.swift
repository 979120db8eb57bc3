import Glibc

/// A set of ASCII characters, stored as one bit each for fast look-ups.
package struct ASCIISet: Sendable {
    private let low: UInt64
    private let high: UInt64

    /// Creates a set.
    ///
    /// - Parameter members: the ASCII characters of the set. Others are ignored.
    package init(_ members: StaticString) {
        var (low, high): (UInt64, UInt64) = (0, 0)
        for byte in members.description.utf8 where byte < 0x80 {
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
        }
        (self.low, self.high) = (low, high)
    }

    /// Whether the set contains `byte`. False for any byte outside ASCII.
    package func contains(_ byte: UInt8) -> Bool {
        byte < 0x80 && (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 == 1
    }
}

extension String {
    /// Whether both strings consist of the same bytes. `==` would also treat two encodings of an accented letter as
    /// equal.
    package func hasSameBytes(as other: String) -> Bool {
        let (own, others) = (utf8Span.span, other.utf8Span.span)
        return own.count == others.count && own.starts(with: others)
    }
}

extension Span<UInt8> {
    /// Whether the span starts with the bytes of `start`.
    package func starts(with start: Span<UInt8>) -> Bool {
        guard count >= start.count else { return false }
        // The loop has no early exit, so that the compiler can vectorize it.
        var difference: UInt8 = 0
        for index in start.indices { difference |= self[index] ^ start[index] }
        return difference == 0
    }

    /// The first index of `byte` at or after `start`. It uses `memchr`, because a loop would take minutes for a
    /// gigabyte.
    package func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
        unsafe withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress,
                let found = unsafe memchr(base + start, Int32(byte), buffer.count - start)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
    }

    /// The index of the first byte that is not valid UTF-8; nil if all bytes are valid.
    package var firstInvalidUTF8: Int? {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: self)
            return nil
        } catch {
            return error.byteOffsets.lowerBound
        }
    }
}
