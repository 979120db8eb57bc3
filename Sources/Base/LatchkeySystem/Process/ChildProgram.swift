import CLinux
import Glibc

/// Runs a program with an input until it ends. The program gets no shell, and does not inherit descriptors, environment
/// or signal mask.
package struct ChildProgram: Sendable {
    /// The way in which the program ended.
    package enum Ending: Equatable, Sendable {
        /// The program exited with a status.
        case exited(status: Int32)
        /// A signal killed the program.
        case killed(signal: Int32)
        /// The program exceeded its time limit, and its process group was killed.
        case timedOut
    }

    private let path: String
    private let arguments: [String]
    private let environment: [String]

    /// The folders in which to search for a program without a path. The list is fixed, because the caller's `PATH`
    /// could contain any folder.
    package static let folders = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"]

    /// Finds the program; nil if it does not exist.
    ///
    /// - Parameters:
    ///   - arguments: the program's name or absolute path, and its arguments.
    ///   - environment: variables in addition to `PATH`.
    package init?(_ arguments: [String], environment: [String: String] = [:]) {
        guard let name = arguments.first, !name.isEmpty, name.hasPrefix("/") || !name.utf8.contains(UInt8(ascii: "/"))
        else {
            return nil
        }
        let candidates = name.hasPrefix("/") ? [name] : Self.folders.map { $0 + "/" + name }
        guard let path = candidates.first(where: { unsafe access($0, X_OK) == 0 }) else { return nil }
        self.path = path
        self.arguments = arguments
        self.environment =
            ["PATH=" + Self.folders.joined(separator: ":")] + environment.map { $0.key + "=" + $0.value }
    }

    /// Runs the program and waits for it on the calling thread.
    ///
    /// - Parameters:
    ///   - input: the program's standard input. The output is discarded.
    ///   - limit: the time after which the program is killed.
    package func run(reading input: Span<UInt8>, within limit: Duration) throws(SystemError) -> Ending {
        // The input is a file in memory instead of a pipe. A program that does not read all of it causes neither a wait
        // nor SIGPIPE.
        let file = latchkey_memory_file()
        guard file >= 0 else { throw SystemError(code: errno) }
        defer { _ = close(file) }
        try Self.write(input, to: file)
        return try wait(for: try start(reading: file), within: limit)
    }

    private static func write(_ input: Span<UInt8>, to file: Int32) throws(SystemError) {
        var written = 0
        while written < input.count {
            let rest = input.extracting(written...)
            let count = unsafe rest.withUnsafeBufferPointer { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw SystemError(code: errno) }
            written += max(count, 0)
        }
        guard lseek(file, 0, SEEK_SET) == 0 else { throw SystemError(code: errno) }
    }

    private func start(reading file: Int32) throws(SystemError) -> pid_t {
        try Self.spawn(path, arguments.map { Array($0.utf8) }, environment.map { Array($0.utf8) }, on: .input(file))
    }

    /// Starts another instance of this program in a new session without waiting for it.
    ///
    /// The instance inherits the environment and the working folder, but no descriptors. Its output is discarded.
    ///
    /// - Parameter arguments: the arguments, beginning with the name of the program.
    package static func startAgain(_ arguments: [String]) throws(SystemError) {
        _ = try spawn(
            "/proc/self/exe", arguments.map { Array($0.utf8) }, InheritedEnvironment.environment, on: .nothing)
    }

    /// A child's standard streams and process group.
    enum Streams {
        /// No input and no output, in a new session. For a child that outlives this process.
        case nothing
        /// This input and no output, in a new process group.
        case input(Int32)
        /// All three streams on a terminal, in the process group of the parent.
        case terminal(Int32)
    }

    static func spawn(
        _ path: String, _ arguments: [[UInt8]], _ environment: [[UInt8]], on streams: Streams
    ) throws(SystemError) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        switch streams {
        case .nothing: unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        case .input(let descriptor), .terminal(let descriptor):
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, STDIN_FILENO)
        }
        for output in [STDOUT_FILENO, STDERR_FILENO] {
            if case .terminal = streams {
                unsafe posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, output)
            } else {
                unsafe posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
            }
        }
        // The descriptors are closed in the child, because another thread of the parent may open one without O_CLOEXEC
        // at any time.
        let code = unsafe latchkey_close_from(&actions, 3)
        guard code == 0 else { throw SystemError(code: code) }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        // The leader of a session cannot set its process group.
        let group =
            switch streams {
            case .nothing: LATCHKEY_POSIX_SPAWN_SETSID
            case .input: Int(POSIX_SPAWN_SETPGROUP)
            case .terminal: 0
            }
        unsafe posix_spawnattr_setflags(
            &attributes, Int16(group | Int(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)))
        var child = pid_t()
        let failure = unsafe withCStrings(arguments) { arguments in
            unsafe withCStrings(environment) { environment in
                unsafe posix_spawn(&child, path, &actions, &attributes, arguments, environment)
            }
        }
        guard failure == 0 else { throw SystemError(code: failure) }
        return child
    }

    private func wait(for child: pid_t, within limit: Duration) throws(SystemError) -> Ending {
        let deadline = ContinuousClock.now.advanced(by: limit)
        var isTooLate = false
        while true {
            var status: Int32 = 0
            let waited = unsafe waitpid(child, &status, isTooLate ? 0 : WNOHANG)
            if waited < 0, errno != EINTR { throw SystemError(code: errno) }
            if waited == child {
                if isTooLate { return .timedOut }
                let signal = status & 0x7F
                return signal == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: signal)
            }
            guard !isTooLate else { continue }
            guard ContinuousClock.now < deadline else {
                _ = kill(-child, SIGKILL)
                isTooLate = true
                continue
            }
            _ = usleep(5000)
        }
    }
}

/// Lends strings as a null-terminated array of C strings.
///
/// - Parameter texts: strings without NUL bytes.
func withCStrings<Result>(
    _ texts: [[UInt8]], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers =
        unsafe texts.map { text in
            unsafe (text + [0]).withUnsafeBufferPointer { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe $0.baseAddress.flatMap { unsafe strdup($0) } }
            }
        } + [nil]
    defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
    return unsafe pointers.withUnsafeMutableBufferPointer { list in
        // The array is never empty, because it contains the null pointer.
        unsafe body(list.baseAddress!)
    }
}
