import CSodium

/// SHA-256 (FIPS 180-4), by libsodium.
public enum SHA256Digest {
    /// How many bytes a digest has.
    public static let byteCount = 32

    /// The digest of `bytes`, 32 bytes.
    public static func of(_ bytes: Span<UInt8>) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: byteCount)
        unsafe bytes.withUnsafeBufferPointer { input in
            _ = unsafe crypto_hash_sha256(&digest, input.baseAddress, UInt64(input.count))
        }
        return digest
    }

    /// Lends the digest of a secret, 32 bytes, and wipes it: whoever finds it could try passwords against it, fast.
    public static func withDigest<Result>(of secret: Span<UInt8>, _ body: (Span<UInt8>) -> Result) -> Result {
        var digest = of(secret)
        defer { unsafe sodium_memzero(&digest, digest.count) }
        return body(digest.span)
    }

    /// A digest of bytes that come in pieces.
    public struct Running {
        private var state = crypto_hash_sha256_state()

        public init() { _ = unsafe crypto_hash_sha256_init(&state) }

        public mutating func add(_ bytes: Span<UInt8>) {
            unsafe bytes.withUnsafeBufferPointer { input in
                _ = unsafe crypto_hash_sha256_update(&state, input.baseAddress, UInt64(input.count))
            }
        }

        /// The digest of all that was added, 32 bytes.
        public consuming func finish() -> [UInt8] {
            var digest = [UInt8](repeating: 0, count: byteCount)
            _ = unsafe crypto_hash_sha256_final(&state, &digest)
            return digest
        }
    }
}
