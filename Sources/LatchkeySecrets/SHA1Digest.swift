import CNettle
import CSodium

/// SHA-1 (FIPS 180-4), by libnettle: for looking secrets up in lists of hashes that others have made, and nothing else. It
/// protects nothing (NIST SP 800-131A).
public enum SHA1Digest {
    /// How many bytes a digest has.
    public static let byteCount = 20

    /// Lends the digest of a secret, 20 bytes, and wipes it.
    public static func withDigest<Result>(of secret: Span<UInt8>, _ body: (Span<UInt8>) -> Result) -> Result {
        var digest = [UInt8](repeating: 0, count: byteCount)
        var context = sha1_ctx()
        defer {
            unsafe sodium_memzero(&digest, digest.count)
            unsafe withUnsafeMutableBytes(of: &context) { unsafe sodium_memzero($0.baseAddress, $0.count) }
        }
        unsafe nettle_sha1_init(&context)
        unsafe secret.withUnsafeBufferPointer { unsafe nettle_sha1_update(&context, $0.count, $0.baseAddress) }
        unsafe nettle_sha1_digest(&context, digest.count, &digest)
        return body(digest.span)
    }
}
