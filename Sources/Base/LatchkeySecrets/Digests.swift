import CNettle
import CSodium

/// SHA-256 (FIPS 180-4) from libsodium.
package enum SHA256Digest {
    /// The length of a digest in bytes.
    package static let byteCount = 32

    /// The 32-byte digest of `bytes`.
    package static func of(_ bytes: Span<UInt8>) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: byteCount)
        unsafe bytes.withUnsafeBufferPointer { input in
            _ = unsafe crypto_hash_sha256(&digest, input.baseAddress, UInt64(input.count))
        }
        return digest
    }

    /// Lends the 32-byte digest of a secret to `body` and then wipes it, because an attacker could quickly test
    /// passwords against the digest.
    package static func withDigest<Result>(of secret: Span<UInt8>, _ body: (Span<UInt8>) -> Result) -> Result {
        var digest = of(secret)
        defer { unsafe sodium_memzero(&digest, digest.count) }
        return body(digest.span)
    }

    /// Computes the digest of bytes incrementally.
    package struct Running {
        private var state = crypto_hash_sha256_state()

        /// Starts an empty computation.
        package init() { _ = unsafe crypto_hash_sha256_init(&state) }

        /// Adds the next bytes.
        package mutating func add(_ bytes: Span<UInt8>) {
            unsafe bytes.withUnsafeBufferPointer { input in
                _ = unsafe crypto_hash_sha256_update(&state, input.baseAddress, UInt64(input.count))
            }
        }

        /// The 32-byte digest of all added bytes.
        package consuming func finish() -> [UInt8] {
            var digest = [UInt8](repeating: 0, count: byteCount)
            _ = unsafe crypto_hash_sha256_final(&state, &digest)
            return digest
        }
    }
}

/// SHA-1 (FIPS 180-4) from libnettle. It is only used to look up secrets in published lists of SHA-1 hashes, not for
/// security (NIST SP 800-131A).
package enum SHA1Digest {
    /// The length of a digest in bytes.
    package static let byteCount = 20

    /// Lends the 20-byte digest of a secret to `body` and then wipes it.
    package static func withDigest<Result>(of secret: Span<UInt8>, _ body: (Span<UInt8>) -> Result) -> Result {
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
