import Glibc
import LatchkeySystem

/// A new file that gets lines, each of them whole and at once: what was written is there, however the process ends.
final class LineFile: Sendable {
    private let descriptor: Int32
    private let state = Locked(true)

    /// - Throws: `EEXIST` where there is anything under that name, or what else the system says.
    convenience init(at path: String) throws(SystemError) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC
        try self.init(taking: unsafe open(path, flags, 0o600))
    }

    /// - Parameter descriptor: as an opening call answered it.
    init(taking descriptor: Int32) throws(SystemError) {
        guard descriptor >= 0 else { throw SystemError(code: errno) }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// False once a line could not be written.
    var isWhole: Bool { state.withLock { $0 } }

    /// - Parameter line: without its line break.
    func append(_ line: String) throws(SystemError) {
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            let count = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                state.withLock { $0 = false }
                throw SystemError(code: errno)
            }
            bytes = bytes.dropFirst(count)
        }
    }
}
