import CSodium

/// Base64url without padding (RFC 4648, section 5), from libsodium. WebAuthn uses it to encode bytes in JSON.
package enum Base64URL {
    private static let variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING

    /// The encoding of `bytes`.
    package static func text(of bytes: [UInt8]) -> String {
        let size = sodium_base64_encoded_len(bytes.count, variant)
        var text = [CChar](repeating: 0, count: size)
        _ = unsafe sodium_bin2base64(&text, size, bytes, bytes.count, variant)
        // The terminating NUL is dropped.
        return String(decoding: text.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The bytes that `text` encodes; nil for padding, white space, another alphabet, an impossible length or nonzero
    /// trailing bits.
    package static func bytes(of text: String) -> [UInt8]? {
        let text = text.utf8.map(CChar.init(bitPattern:))
        var bytes = [UInt8](repeating: 0, count: text.count / 4 * 3 + 2)
        var count = 0
        // If it gets no pointer for the end of the string, libsodium refuses trailing characters.
        guard unsafe sodium_base642bin(&bytes, bytes.count, text, text.count, nil, &count, nil, variant) == 0 else {
            return nil
        }
        return Array(bytes.prefix(count))
    }
}
