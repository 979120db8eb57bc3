import CMD
import CSodium

/// SHA-1 (FIPS 180-4), by libmd: for looking secrets up in lists of hashes that others have made, and nothing else. It
/// protects nothing (NIST SP 800-131A).
public enum SHA1Digest {
    /// How many bytes a digest has.
    public static let byteCount = 20

    /// Lends the digest of a secret, 20 bytes, and wipes it.
    public static func withDigest<Result>(of secret: Span<UInt8>, _ body: (Span<UInt8>) -> Result) -> Result {
        var digest = [UInt8](repeating: 0, count: byteCount)
        var context = SHA1_CTX()
        defer {
            unsafe sodium_memzero(&digest, digest.count)
            unsafe withUnsafeMutableBytes(of: &context) { unsafe sodium_memzero($0.baseAddress, $0.count) }
        }
        unsafe SHA1Init(&context)
        unsafe secret.withUnsafeBufferPointer { unsafe SHA1Update(&context, $0.baseAddress, $0.count) }
        unsafe SHA1Final(&digest, &context)
        return body(digest.span)
    }
}
