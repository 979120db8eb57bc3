import CSodium

/// Base64 without padding (RFC 4648, section 4), as used in PHC strings. It takes constant time.
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

    /// The bytes that `text` encodes; nil for padding, white space, another alphabet, an impossible length or nonzero
    /// trailing bits (RFC 4648, section 3.5).
    package static func bytes(of text: some Collection<UInt8>) -> [UInt8]? {
        let text = Array(text)
        return bytes(of: text.span)
    }

    /// Like ``bytes(of:)``, but for a borrowed span.
    package static func bytes(of text: Span<UInt8>) -> [UInt8]? {
        let count = text.count * 3 / 4
        return withValues(of: text) { values in
            unsafe [UInt8](unsafeUninitializedCapacity: count + 3) { bytes, written in
                for group in 0..<((text.count + 3) / 4) {
                    let (first, second) = (values[4 * group], values[4 * group + 1])
                    let (third, fourth) = (values[4 * group + 2], values[4 * group + 3])
                    unsafe bytes[3 * group] = first << 2 | second >> 4
                    unsafe bytes[3 * group + 1] = second << 4 | third >> 2
                    unsafe bytes[3 * group + 2] = third << 6 | fourth
                }
                written = count
            }
        }
    }

    /// The number of bytes that `text` encodes; nil if ``bytes(of:)-(Span<UInt8>)`` returns nil.
    package static func byteCount(of text: Span<UInt8>) -> Int? {
        withValues(of: text) { _ in text.count * 3 / 4 }
    }

    /// Passes the six-bit value of each character to `body`, padded with zeros; nil if `text` is not canonical.
    private static func withValues<Result>(
        of text: Span<UInt8>, _ body: (Span<UInt8>) -> Result
    ) -> Result? {
        // A lone character encodes only 6 bits, less than a byte.
        guard text.count % 4 != 1 else { return nil }
        // This rounds up to whole vectors. The padding is the character that encodes 0.
        let size = (text.count + 3 + 15) & ~15
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size) { values in
            unsafe values.initialize(repeating: 0x41)
            unsafe text.withUnsafeBufferPointer { unsafe _ = values.update(fromContentsOf: $0) }
            let unknown = unsafe replaceCharacters(in: values)
            // The unused low bits of the last character must be 0.
            let rest: UInt8 =
                switch text.count % 4 {
                case 2: unsafe values[text.count - 1] & 0b1111
                case 3: unsafe values[text.count - 1] & 0b11
                default: 0
                }
            return unknown & 0x80 == 0 && rest == 0 ? unsafe body(UnsafeBufferPointer(values).span) : nil
        }
    }

    /// Replaces each character with its six bits.
    ///
    /// The loop neither branches on a character nor reads a table, so that its time does not depend on the characters
    /// and the compiler can vectorize it.
    ///
    /// - Returns: a byte in which 0x80 is set if a character is outside the alphabet.
    private static func replaceCharacters(in text: UnsafeMutableBufferPointer<UInt8>) -> UInt8 {
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
            unsafe text[index] = value
        }
        return unknown
    }
}
