import CSodium

/// scrypt (RFC 7914) from libsodium.
package enum Scrypt {
    /// Computes a tag of `byteCount` bytes on the calling thread; nil if there is not enough memory or libsodium
    /// refuses the parameters.
    ///
    /// - Parameters:
    ///   - cost: N, a power of two greater than 1.
    ///   - blockSize: the block size r.
    ///   - parallelism: the parallelism p.
    package static func tag(
        byteCount: Int, of password: Secret, salt: [UInt8], cost: UInt64, blockSize: UInt32, parallelism: UInt32
    ) -> SecretBytes? {
        var tag = SecretBytes(capacity: byteCount)
        unsafe tag.fill { out in
            let code = password.withBytes { password in
                unsafe password.withUnsafeBufferPointer { password in
                    // An empty span may have a null pointer, which libsodium does not accept.
                    unsafe crypto_pwhash_scryptsalsa208sha256_ll(
                        password.baseAddress ?? UnsafePointer(out.baseAddress!), password.count, salt, salt.count, cost,
                        blockSize, parallelism, out.baseAddress!, out.count)
                }
            }
            return code == 0 ? out.count : 0
        }
        guard !tag.isEmpty else { return nil }
        return tag
    }
}
