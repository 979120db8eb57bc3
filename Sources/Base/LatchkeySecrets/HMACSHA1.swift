import CNettle
import CSodium

/// HMAC-SHA-1 (RFC 2104) from libnettle. It is only used for one-time passwords, because many authenticator apps
/// support no other hash (RFC 6238, section 1.2).
package enum HMACSHA1 {
    /// The length of a tag in bytes.
    package static let byteCount = 20

    /// Lends the 20-byte tag of `message` to `body`, then wipes it. The key must not be empty.
    package static func withTag<Result>(
        of message: Span<UInt8>, key: Secret, _ body: (Span<UInt8>) -> Result
    ) -> Result {
        var tag = [UInt8](repeating: 0, count: byteCount)
        var context = hmac_sha1_ctx()
        defer {
            unsafe sodium_memzero(&tag, tag.count)
            unsafe withUnsafeMutableBytes(of: &context) { unsafe sodium_memzero($0.baseAddress, $0.count) }
        }
        key.withBytes { key in
            unsafe key.withUnsafeBufferPointer { unsafe nettle_hmac_sha1_set_key(&context, $0.count, $0.baseAddress) }
        }
        unsafe message.withUnsafeBufferPointer {
            unsafe nettle_hmac_sha1_update(&context, $0.count, $0.baseAddress)
        }
        unsafe nettle_hmac_sha1_digest(&context, tag.count, &tag)
        return body(tag.span)
    }
}
