import CSodium

/// Base64 without padding (RFC 4648, section 4), as PHC strings use it, by libsodium in constant time.
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
        // libsodium 1.0.18 reads bytes beyond ASCII as values of more than six bits.
        guard text.indices.allSatisfy({ text[$0] < 0x80 }) else { return nil }
        var bytes = [UInt8](repeating: 0, count: text.count * 3 / 4)
        var count = 0
        let result = unsafe text.withUnsafeBytes { text in
            unsafe sodium_base642bin(
                &bytes, bytes.count, text.assumingMemoryBound(to: CChar.self).baseAddress, text.count, nil, &count, nil,
                sodium_base64_VARIANT_ORIGINAL_NO_PADDING)
        }
        guard result == 0, count == bytes.count else { return nil }
        return bytes
    }
}
