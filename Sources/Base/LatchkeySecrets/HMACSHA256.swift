import CSodium

/// HMAC-SHA-256 (RFC 2104, FIPS 198-1) from libsodium.
package enum HMACSHA256 {
    /// The length of a tag in bytes.
    package static let byteCount = 32

    /// Derives a 32-byte key for the purpose `domain`.
    package static func derivedKey(for domain: Span<UInt8>, from key: Secret) -> Secret {
        var tag = tag(of: domain, key: key)
        defer { unsafe sodium_memzero(&tag, tag.count) }
        return Secret(copying: tag.span)
    }

    /// The 32-byte tag of `message` with `key`. A key may have any length (RFC 2104, section 2).
    package static func tag(of message: Span<UInt8>, key: Secret) -> [UInt8] {
        tag(of: message, after: Span(), key: key)
    }

    /// The tag of `prefix` and `message` together, without a copy of the message, which may be secret.
    package static func tag(of message: Span<UInt8>, after prefix: Span<UInt8>, key: Secret) -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: byteCount)
        var state = crypto_auth_hmacsha256_state()
        key.withBytes { key in
            unsafe key.withUnsafeBufferPointer {
                // An empty span may have a null pointer, which libsodium does not accept.
                guard let start = $0.baseAddress else {
                    _ = unsafe crypto_auth_hmacsha256_init(&state, [0], 0)
                    return
                }
                _ = unsafe crypto_auth_hmacsha256_init(&state, start, $0.count)
            }
        }
        unsafe prefix.withUnsafeBufferPointer {
            _ = unsafe crypto_auth_hmacsha256_update(&state, $0.baseAddress, UInt64($0.count))
        }
        unsafe message.withUnsafeBufferPointer {
            _ = unsafe crypto_auth_hmacsha256_update(&state, $0.baseAddress, UInt64($0.count))
        }
        _ = unsafe crypto_auth_hmacsha256_final(&state, &tag)
        unsafe withUnsafeMutableBytes(of: &state) { unsafe sodium_memzero($0.baseAddress, $0.count) }
        return tag
    }
}
