import CNettle

/// PBKDF2 (RFC 8018, section 5.2), by libnettle.
package enum PBKDF2 {
    package enum Digest: String, Sendable {
        case sha256, sha512

        /// How many bytes one round gives.
        package var byteCount: Int {
            switch self {
            case .sha256: 32
            case .sha512: 64
            }
        }
    }

    /// A tag of `byteCount` bytes, on the thread that calls.
    package static func tag(
        byteCount: Int, of password: Secret, salt: [UInt8], iterations: UInt32, digest: Digest
    ) -> SecretBytes {
        var tag = SecretBytes(capacity: byteCount)
        unsafe tag.fill { out in
            password.withBytes { password in
                unsafe password.withUnsafeBufferPointer { password in
                    // A null pointer, which an empty buffer may have, is no key to the library.
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
