import Foundation
import Glibc
import LatchkeySystem

/// A program that has a pseudoterminal as its controlling terminal. `/dev/tty`, job control and resizing work as usual.
@safe
public final class PtySession: Sendable {
    /// The terminal of the program.
    public let pty: Pty
    /// The ID of the process.
    public let process: Int32
    /// The terminal modes before the program started.
    private let modesBefore: [UInt8]
    private let ended = Locked<Exit?>(nil)

    /// The way in which the program ended.
    public enum Exit: Equatable, Sendable {
        /// It exited with this status.
        case status(Int32)
        /// A signal ended it.
        case signal(Int32)
    }

    // POSIX_SPAWN_SETSID, which glibc declares only with _GNU_SOURCE.
    private static let startsSession: Int16 = 0x80

    /// Starts `executable` with standard input, output and error on the terminal.
    ///
    /// - Parameters:
    ///   - arguments: the arguments without the program's name.
    ///   - environment: the complete environment. Nothing is inherited.
    ///   - executable: the path of the program.
    ///   - rows: the height, in rows.
    ///   - columns: the width of the terminal, in cells.
    /// - Throws: `SystemError`.
    public init(
        _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:], columns: Int = 80,
        rows: Int = 24
    ) throws {
        let pty = try Pty(columns: columns, rows: rows)
        self.pty = pty
        modesBefore = pty.modes
        var actions = unsafe posix_spawn_file_actions_t()
        _ = unsafe posix_spawn_file_actions_init(&actions)
        defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that a session leader opens becomes its controlling terminal.
        _ = unsafe posix_spawn_file_actions_addopen(&actions, 0, pty.path, O_RDWR, 0)
        _ = unsafe posix_spawn_file_actions_adddup2(&actions, 0, 1)
        _ = unsafe posix_spawn_file_actions_adddup2(&actions, 0, 2)
        // `Process` detects the end of its child when a socket is closed. A copy of that socket in this child would
        // keep it open.
        for descriptor in 3..<Int32(clamping: min(sysconf(Int32(_SC_OPEN_MAX)), 4096)) {
            _ = unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var attributes = posix_spawnattr_t()
        _ = unsafe posix_spawnattr_init(&attributes)
        defer { _ = unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        _ = unsafe sigemptyset(&signals)
        _ = unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        _ = unsafe sigfillset(&signals)
        _ = unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = Self.startsSession | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK)
        _ = unsafe posix_spawnattr_setflags(&attributes, flags)

        var words = unsafe ([executable] + arguments).map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
        defer {
            for index in unsafe words.indices { unsafe free(words[index]) }
            for index in unsafe variables.indices { unsafe free(variables[index]) }
        }
        var process: pid_t = 0
        let code = unsafe posix_spawn(&process, executable, &actions, &attributes, &words, &variables)
        guard code == 0 else { throw SystemError(code: code) }
        self.process = process
    }

    deinit {
        if exit == nil {
            kill(-process, SIGKILL)
            _ = waitpid(process, nil, 0)
        }
    }

    /// Types keys.
    public func send(_ text: String) { pty.send(text) }

    /// Sends a signal to the process.
    public func send(signal: Int32) { kill(process, signal) }

    /// Waits until the program writes `text` after the previously expected text.
    public func expect(_ text: String, within deadline: Duration = .seconds(600)) async throws {
        try await pty.expect(text, within: deadline)
    }

    /// The current screen.
    public func screen(columns: Int = 80, rows: Int = 24) -> VTScreen {
        var screen = VTScreen(columns: columns, rows: rows)
        screen.feed(pty.output)
        return screen
    }

    /// Waits until the screen shows `text` and the program waits for input, so that the screen is complete.
    public func settle(
        showing text: String, columns: Int = 80, rows: Int = 24, within deadline: Duration = .seconds(600)
    ) async throws {
        try await pty.wait(for: text, within: deadline) { [self] in
            let before = pty.output.count
            guard screen(columns: columns, rows: rows).text.contains(text), Self.isWaiting(process) else {
                return false
            }
            return pty.isQuiet && pty.output.count == before
        }
    }

    /// Whether no thread of the process is running.
    public static func isWaiting(_ process: Int32) -> Bool {
        let folder = "/proc/\(process)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return threads.allSatisfy { thread in
            // The state is the first letter after the name in parentheses.
            guard let stat = try? String(contentsOfFile: "\(folder)/\(thread)/stat", encoding: .utf8),
                let end = stat.lastIndex(of: ")")
            else { return false }
            // The state of a thread that sleeps, or of a zombie.
            return stat[end...].dropFirst(2).first.map { "SZX".contains($0) } ?? false
        }
    }

    /// Whether the terminal has the same modes as before the program started.
    public var isRestored: Bool { pty.modes == modesBefore && !screen().showsAlternateScreen }

    /// The way in which the program ended; nil while it is running.
    public var exit: Exit? {
        ended.withLock { ended in
            if let ended { return ended }
            var status: Int32 = 0
            guard unsafe waitpid(process, &status, WNOHANG) == process else { return nil }
            let signal = status & 0x7F
            ended = signal == 0 ? .status((status >> 8) & 0xFF) : .signal(signal)
            return ended
        }
    }

    /// Waits until the program ends, and kills it at the deadline.
    public func waitForExit(within deadline: Duration = .seconds(600)) async throws -> Exit {
        do {
            try await pty.wait(for: "the end of the program", within: deadline) { self.exit != nil || self.isDrained }
        } catch {
            kill(-process, SIGKILL)
            throw error
        }
        return exit ?? .signal(SIGKILL)
    }

    // The output is read on each poll, because a program whose output is not read never ends.
    private var isDrained: Bool {
        _ = pty.output
        return false
    }
}
