import Glibc

/// A non-blocking pipe that child processes do not inherit. It is closed when it is released.
final class Pipe: Sendable {
    let readEnd: Int32
    let writeEnd: Int32

    init?() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        readEnd = ends[0]
        writeEnd = ends[1]
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    func write(_ byte: UInt8) {
        var byte = byte
        _ = unsafe Glibc.write(writeEnd, &byte, 1)
    }

    /// Reads the available bytes, at most 64.
    func read() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe Glibc.read(readEnd, &bytes, bytes.count)
        return Array(bytes.prefix(max(count, 0)))
    }

    /// Waits until bytes can be read.
    ///
    /// - Parameter limit: the maximum wait in milliseconds; negative for no limit.
    /// - Returns: false after the maximum wait.
    @discardableResult
    func wait(within limit: Int32 = -1) -> Bool {
        var ready = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
        while true {
            let count = unsafe poll(&ready, 1, limit)
            if count >= 0 || errno != EINTR { return count > 0 }
        }
    }
}
