import CCrypt
import Glibc
import LatchkeyAccounts
import LatchkeySecrets

/// The hashes of Unix, by libxcrypt's `crypt_r(3)`.
enum LibCrypt {
    /// The hash of `password` with the scheme, the parameters and the salt that `setting` begins with, on the thread that
    /// calls; nil where there is none: the library reads to the first NUL and takes no more than 511 bytes, and says
    /// `*0` or `*1` to what it does not like.
    ///
    /// - Parameter setting: ASCII without NUL.
    /// - Throws: ``HashError/outOfMemory``.
    static func hash(_ password: Secret, setting: String) throws(HashError) -> SecretBytes? {
        var terminated = SecretBytes(capacity: password.count + 1)
        _ = password.withBytes { terminated.append($0) }
        _ = terminated.append(0)
        guard !password.hasNUL else { return nil }

        var result = SecretBytes(capacity: Int(CRYPT_OUTPUT_SIZE))
        // 32 KiB of intermediate values: in memory that is wiped, and not on the stack.
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
