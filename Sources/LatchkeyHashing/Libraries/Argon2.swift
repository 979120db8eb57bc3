import CArgon2
package import LatchkeyAccounts
package import LatchkeySecrets

/// Computes Argon2, version 1.3 (RFC 9106), with libargon2.
package enum Argon2 {
    /// The order of memory accesses. New hashes use `id`; imported ones may use the others.
    package enum Variant: String, Sendable, CaseIterable {
        case id = "argon2id"
        case i = "argon2i"
        case d = "argon2d"
    }

    /// Computes a tag on the calling thread and blocks it meanwhile.
    ///
    /// libargon2 wipes its memory afterwards (`FLAG_clear_internal_memory`, which is on by default).
    ///
    /// - Parameters:
    ///   - tagByteCount: 4 or more.
    ///   - salt: 8 bytes or more.
    ///   - key: the secret value K of RFC 9106, section 3.1; nil for none.
    ///   - associatedData: X of the same section; empty for none.
    /// - Throws: ``HashError/outOfMemory``, or ``HashError/unsupported`` for parameters that the library refuses.
    package static func tag(
        byteCount tagByteCount: Int, of password: Secret, salt: [UInt8], parameters: Argon2Parameters,
        variant: Variant = .id, key: Secret? = nil, associatedData: [UInt8] = []
    ) throws(HashError) -> SecretBytes {
        var tag = SecretBytes(capacity: tagByteCount)
        try unsafe tag.fill { (out) throws(HashError) in
            let code = unsafe lend(password) { password in
                unsafe lend(key) { key in
                    unsafe salt.withUnsafeBufferPointer { salt in
                        unsafe associatedData.withUnsafeBufferPointer { associatedData in
                            // Without flags: it must not wipe the password, which belongs to the caller.
                            var context = unsafe argon2_context()
                            unsafe context.version = ARGON2_VERSION_13.rawValue
                            unsafe (context.out, context.outlen) = (out.baseAddress, UInt32(clamping: out.count))
                            unsafe (context.pwd, context.pwdlen) = input(password)
                            unsafe (context.salt, context.saltlen) = input(salt)
                            unsafe (context.secret, context.secretlen) = input(key)
                            unsafe (context.ad, context.adlen) = input(associatedData)
                            unsafe context.m_cost = parameters.memory
                            unsafe context.t_cost = parameters.iterations
                            unsafe context.lanes = parameters.parallelism
                            // One thread, whatever the lanes: only the hasher's own threads are limited.
                            unsafe context.threads = 1
                            return switch variant {
                            case .id: unsafe argon2id_ctx(&context)
                            case .i: unsafe argon2i_ctx(&context)
                            case .d: unsafe argon2d_ctx(&context)
                            }
                        }
                    }
                }
            }
            switch code {
            case ARGON2_OK.rawValue: return out.count
            case ARGON2_MEMORY_ALLOCATION_ERROR.rawValue: throw .outOfMemory
            default: throw .unsupported
            }
        }
        return tag
    }

    private static func lend(_ secret: Secret?, to body: (UnsafeBufferPointer<UInt8>) -> Int32) -> Int32 {
        guard let secret else { return unsafe body(UnsafeBufferPointer(start: nil, count: 0)) }
        return secret.withBytes { unsafe $0.withUnsafeBufferPointer(body) }
    }

    /// libargon2 takes mutable pointers but only reads through them. A length that does not fit becomes a null pointer
    /// with a length, which the library refuses, rather than a truncated password.
    private static func input(_ bytes: UnsafeBufferPointer<UInt8>) -> (UnsafeMutablePointer<UInt8>?, UInt32) {
        guard let count = UInt32(exactly: bytes.count) else { return (nil, .max) }
        return unsafe (UnsafeMutablePointer(mutating: bytes.baseAddress), count)
    }
}
