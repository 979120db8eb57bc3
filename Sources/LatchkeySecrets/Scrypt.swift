import CSodium

/// scrypt (RFC 7914), by libsodium.
package enum Scrypt {
    /// A tag of `byteCount` bytes, on the thread that calls; nil where the system has no memory for it, or the library
    /// refuses the parameters.
    ///
    /// - Parameters:
    ///   - cost: N, a power of two above 1.
    ///   - blockSize: r.
    ///   - parallelism: p.
    package static func tag(
        byteCount: Int, of password: Secret, salt: [UInt8], cost: UInt64, blockSize: UInt32, parallelism: UInt32
    ) -> SecretBytes? {
        var tag = SecretBytes(capacity: byteCount)
        unsafe tag.fill { out in
            let code = password.withBytes { password in
                unsafe password.withUnsafeBufferPointer { password in
                    // libsodium takes no null pointer, and an empty span may have one.
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
