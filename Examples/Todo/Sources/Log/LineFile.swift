import Glibc
import LatchkeySystem

/// Writes lines to a new file, each one completely and immediately, so that no line is lost when the process ends.
final class LineFile: Sendable {
    private let descriptor: Int32
    private let state = Locked(true)

    /// - Throws: `EEXIST` if the name exists, or another error of the system.
    convenience init(at path: String) throws(SystemError) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC
        try self.init(taking: unsafe open(path, flags, 0o600))
    }

    /// - Parameter descriptor: the result of `open`.
    init(taking descriptor: Int32) throws(SystemError) {
        guard descriptor >= 0 else { throw SystemError(code: errno) }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// False after a line could not be written.
    var isWhole: Bool { state.withLock { $0 } }

    /// - Parameter line: a line without its line break.
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
