import CCrypt
import Glibc
import LatchkeyAccounts
import LatchkeySecrets

/// Computes Unix password hashes with libxcrypt's `crypt_r(3)`.
enum LibCrypt {
    /// Hashes `password` on the calling thread. `setting` begins with the scheme, the parameters and the salt.
    ///
    /// Nil if the library refuses the input. It reads the password up to the first NUL, accepts at most 511 bytes, and
    /// returns `*0` or `*1` for an error.
    ///
    /// - Parameter setting: ASCII text without NUL.
    /// - Throws: ``HashError/outOfMemory``.
    static func hash(_ password: Secret, setting: String) throws(HashError) -> SecretBytes? {
        var terminated = SecretBytes(capacity: password.count + 1)
        _ = password.withBytes { terminated.append($0) }
        _ = terminated.append(0)
        guard !password.hasNUL else { return nil }

        var result = SecretBytes(capacity: Int(CRYPT_OUTPUT_SIZE))
        // The 32 KiB of intermediate values are in memory that is wiped, not on the stack.
        var scratch = SecretBytes(capacity: MemoryLayout<crypt_data>.size)
        try unsafe scratch.fill { (buffer) throws(HashError) in
            guard let start = buffer.baseAddress else { throw .outOfMemory }
            try unsafe start.withMemoryRebound(to: crypt_data.self, capacity: 1) { (data) throws(HashError) in
                errno = 0
                let output = unsafe terminated.withBytes { password in
                    unsafe password.withUnsafeBufferPointer { password in
                        unsafe password.withMemoryRebound(to: CChar.self) { password in
                            unsafe crypt_r(password.baseAddress, setting, data)
                        }
                    }
                }
                guard let output = unsafe output, unsafe output.pointee != CChar(UInt8(ascii: "*")) else {
                    if errno == ENOMEM { throw HashError.outOfMemory }
                    return
                }
                let count = unsafe strlen(output)
                unsafe output.withMemoryRebound(to: UInt8.self, capacity: count) { output in
                    _ = unsafe result.append(UnsafeBufferPointer(start: output, count: count).span)
                }
            }
            return 0
        }
        guard !result.isEmpty else { return nil }
        return result
    }
}
