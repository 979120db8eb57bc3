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
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count + 3) { values in
            let unknown = unsafe text.withUnsafeBufferPointer { text in unsafe Self.values(of: text, into: values) }
            let count = text.count * 3 / 4
            var rest: UInt8 = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count + 3) { bytes, written in
                for group in 0..<((text.count + 3) / 4) {
                    let (first, second) = unsafe (values[4 * group], values[4 * group + 1])
                    let (third, fourth) = unsafe (values[4 * group + 2], values[4 * group + 3])
                    unsafe bytes[3 * group] = first << 2 | second >> 4
                    unsafe bytes[3 * group + 1] = second << 4 | third >> 2
                    unsafe bytes[3 * group + 2] = third << 6 | fourth
                }
                // The bits of the last character that belong to no byte.
                if text.count % 4 != 0 { rest = unsafe bytes[count] }
                written = count
            }
            return unknown & 0x80 == 0 && rest == 0 ? bytes : nil
        }
    }

    /// Writes the six bits of each character, then three zeros.
    ///
    /// The loop neither branches on a character nor reads a table, so that its time does not depend on it, and the
    /// compiler turns it into vectors.
    ///
    /// - Returns: 0x80 in it if a byte is outside the alphabet.
    private static func values(
        of text: UnsafeBufferPointer<UInt8>, into values: UnsafeMutableBufferPointer<UInt8>
    ) -> UInt8 {
        var unknown: UInt8 = 0
        for index in 0..<text.count {
            let character = unsafe text[index]
            let (large, small, digit) = (character &- 0x41, character &- 0x61, character &- 0x30)
            var value: UInt8 = large < 26 ? large : 0x80
            value = small < 26 ? small &+ 26 : value
            value = digit < 10 ? digit &+ 52 : value
            value = character == 0x2B ? 62 : value
            value = character == 0x2F ? 63 : value
            unknown |= value
            unsafe values[index] = value
        }
        for index in 0..<3 { unsafe values[text.count + index] = 0 }
        return unknown
    }
}
