import Glibc

/// The executable of this process.
package enum OwnProgram {
    /// The absolute path of the executable; nil if the system does not provide it.
    package static var path: String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer -> String? in
            let count = unsafe readlink("/proc/self/exe", buffer.baseAddress!, buffer.count)
            guard count > 0, count < buffer.count else { return nil }
            return unsafe String(validating: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
