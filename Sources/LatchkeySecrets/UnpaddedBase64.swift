import CSodium

/// Base64 without padding (RFC 4648, section 4), as PHC strings use it, in constant time.
package enum UnpaddedBase64 {
    /// The canonical encoding of `bytes`.
    package static func text(of bytes: Span<UInt8>) -> String {
        let size = sodium_base64_encoded_len(bytes.count, sodium_base64_VARIANT_ORIGINAL_NO_PADDING)
        return unsafe String(unsafeUninitializedCapacity: size) { text in
            unsafe bytes.withUnsafeBufferPointer { bytes in
                unsafe text.withMemoryRebound(to: CChar.self) { text in
                    guard let start = text.baseAddress else { return }
                    _ = unsafe sodium_bin2base64(
                        start, size, bytes.baseAddress, bytes.count, sodium_base64_VARIANT_ORIGINAL_NO_PADDING)
                }
            }
            return size - 1  // without the terminating NUL
        }
    }

    /// The bytes that `text` encodes; nil for padding, white space, another alphabet, an impossible length or trailing
    /// bits that are not zero (RFC 4648, section 3.5).
    package static func bytes(of text: some Collection<UInt8>) -> [UInt8]? {
        let text = Array(text)
        return bytes(of: text.span)
    }

    /// As above, for a borrowed text.
    package static func bytes(of text: Span<UInt8>) -> [UInt8]? {
        // One character encodes 6 bits, and one alone is not a byte.
        guard text.count % 4 != 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: text.count * 3 / 4)
        var output = bytes.mutableSpan
        var (bits, count, written) = (UInt32(0), UInt32(0), 0)
        var unknown: UInt8 = 0
        for index in text.indices {
            let value = value(of: text[index])
            unknown |= value
            bits = bits << 6 | UInt32(value & 0x3F)
            count += 6
            if count >= 8 {
                count -= 8
                output[written] = UInt8(truncatingIfNeeded: bits >> count)
                written += 1
            }
        }
        guard unknown & 0x80 == 0, bits & (1 << count - 1) == 0 else { return nil }
        return bytes
    }

    /// The six bits of a character; 0x80 for a byte outside the alphabet. Neither branches nor reads a table, so that its
    /// time does not depend on the byte.
    @inline(__always)
    private static func value(of character: UInt8) -> UInt8 {
        let byte = Int32(character)
        /// All bits if `first` ... `last` contains the byte.
        func mask(_ first: Int32, _ last: Int32) -> Int32 { ~((byte - first) | (last - byte)) >> 31 }
        let (large, small, digit) = (mask(0x41, 0x5A), mask(0x61, 0x7A), mask(0x30, 0x39))
        let (plus, slash) = (mask(0x2B, 0x2B), mask(0x2F, 0x2F))
        let known = large & (byte - 0x41) | small & (byte - 0x47) | digit & (byte + 4) | plus & 62 | slash & 63
        return UInt8(truncatingIfNeeded: known | ~(large | small | digit | plus | slash) & 0x80)
    }
}
