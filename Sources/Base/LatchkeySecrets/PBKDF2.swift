import CNettle

/// PBKDF2 (RFC 8018, section 5.2) from libnettle.
package enum PBKDF2 {
    /// The hash function of the HMAC.
    package enum Digest: String, Sendable {
        case sha256, sha512

        /// The length of the output of one round in bytes.
        package var byteCount: Int {
            switch self {
            case .sha256: 32
            case .sha512: 64
            }
        }
    }

    /// Computes a tag of `byteCount` bytes on the calling thread.
    package static func tag(
        byteCount: Int, of password: Secret, salt: [UInt8], iterations: UInt32, digest: Digest
    ) -> SecretBytes {
        var tag = SecretBytes(capacity: byteCount)
        unsafe tag.fill { out in
            password.withBytes { password in
                unsafe password.withUnsafeBufferPointer { password in
                    // An empty span may have a null pointer, which libnettle does not accept as a key.
                    let key =
                        unsafe password.count > 0
                        ? password.baseAddress : out.baseAddress.map { unsafe UnsafePointer($0) }
                    switch digest {
                    case .sha256:
                        unsafe nettle_pbkdf2_hmac_sha256(
                            password.count, key, iterations, salt.count, salt, out.count, out.baseAddress)
                    case .sha512:
                        unsafe nettle_pbkdf2_hmac_sha512(
                            password.count, key, iterations, salt.count, salt, out.count, out.baseAddress)
                    }
                }
            }
            return out.count
        }
        return tag
    }
}
