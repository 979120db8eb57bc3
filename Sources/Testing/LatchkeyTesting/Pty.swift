import Foundation
import Glibc
import LatchkeySystem

/// A pseudoterminal with both ends open. The test uses the master, and can read the modes of the slave.
@safe
public final class Pty: Sendable {
    /// The descriptor of the test's side.
    public let master: Int32
    /// The descriptor of the program's side.
    public let slave: Int32
    /// The path of the slave.
    public let path: String

    private struct State {
        var output: [UInt8] = []
        /// The position after the text that ``expect(_:within:)`` last found.
        var seen = 0
        var isClosed = false
    }

    private let state = Locked(State())

    /// An expected text did not arrive before the deadline.
    public struct Missing: Error, CustomStringConvertible {
        /// The expected text.
        public let wanted: String
        /// The output so far.
        public let output: String

        public var description: String {
            "waited in vain for \(wanted.debugDescription); output: \(output.debugDescription)"
        }
    }

    /// Opens a pseudoterminal of this size.
    public init(columns: Int = 80, rows: Int = 24) throws {
        var master: Int32 = -1
        var slave: Int32 = -1
        var window = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        guard unsafe openpty(&master, &slave, nil, nil, &window) == 0 else { throw SystemError(code: errno) }
        self.master = master
        self.slave = slave
        var name = [CChar](repeating: 0, count: 128)
        _ = unsafe ttyname_r(slave, &name, name.count)
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        for end in [master, slave] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
    }

    deinit { hangUp() }

    /// Closes both ends, which hangs up the terminal.
    public func hangUp() {
        let wasOpen = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard wasOpen else { return }
        close(master)
        close(slave)
    }

    /// Resizes the window. The foreground process receives SIGWINCH.
    public func resize(columns: Int, rows: Int) {
        var window = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = unsafe ioctl(master, UInt(TIOCSWINSZ), &window)
    }

    /// The slave's modes, byte for byte.
    public var modes: [UInt8] {
        var modes = termios()
        _ = unsafe tcgetattr(slave, &modes)
        return unsafe withUnsafeBytes(of: &modes) { unsafe Array($0) }
    }

    /// Whether the terminal echoes input.
    public var echoes: Bool {
        var modes = termios()
        _ = unsafe tcgetattr(slave, &modes)
        return modes.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Types bytes or text.
    public func send(_ text: String) { send(Array(text.utf8)) }

    /// Types bytes or text.
    public func send(_ bytes: [UInt8]) {
        var bytes = bytes
        _ = unsafe write(master, &bytes, bytes.count)
    }

    /// All output so far.
    public var output: [UInt8] {
        drain()
        return state.withLock { $0.output }
    }

    /// Waits for `text` in the output after the previously expected text.
    ///
    /// - Throws: ``Missing`` after `deadline`.
    public func expect(_ text: String, within deadline: Duration = .seconds(600)) async throws {
        try await wait(for: text, within: deadline) { [self] in
            drain()
            return state.withLock { state in
                let new = state.output[state.seen...]
                guard let range = new.firstRange(of: Array(text.utf8)) else { return false }
                state.seen = range.upperBound
                return true
            }
        }
    }

    /// Waits until `isTrue`, polling every few milliseconds.
    ///
    /// - Parameters:
    ///   - wanted: a description of the condition for an error.
    ///   - isTrue: the condition.
    ///   - deadline: the maximum wait.
    /// - Throws: ``Missing`` after `deadline`.
    public func wait(
        for wanted: String, within deadline: Duration = .seconds(600), _ isTrue: @Sendable () -> Bool
    ) async throws {
        let end = ContinuousClock.now + deadline
        while !isTrue() {
            guard ContinuousClock.now < end else {
                throw Missing(wanted: wanted, output: String(decoding: output, as: UTF8.self))
            }
            try await Task.sleep(for: .milliseconds(3))
        }
    }

    /// Whether no output arrives for a moment. The system may deliver output even after the program has started to
    /// wait.
    var isQuiet: Bool {
        var ready = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&ready, 1, 20) == 0
    }

    private func drain() {
        state.withLock { state in
            guard !state.isClosed else { return }
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = unsafe read(master, &buffer, buffer.count)
                guard count > 0 else { return }
                state.output += buffer.prefix(count)
            }
        }
    }
}
