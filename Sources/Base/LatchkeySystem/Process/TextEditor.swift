import Glibc
import LatchkeySecrets

/// The user's preferred text editor, which opens a private file on a terminal.
public final class TextEditor: Sendable {
    /// The reason why there is no edited text.
    public enum Failure: Error, Equatable, Sendable {
        /// The private file could not be written or read.
        case file(FileError)
        /// The editor could not be started.
        case notStarted(SystemError)
        /// The editor exited with a status other than 0, or a signal killed it.
        case failed
    }

    private let command: String
    private let folder: String
    private let state = Locked(State())

    private struct State {
        var process: pid_t?
        var isStopped = false
    }

    private static let file = "text.txt"

    /// - Parameters:
    ///   - command: a shell command, like `VISUAL` and `EDITOR` (POSIX.1-2017, section 8.3).
    ///   - folder: the folder in which to create the private folder for the file, for example `/tmp`.
    public init(_ command: String, inFolder folder: String) {
        self.command = command
        self.folder = folder
    }

    /// Opens a file with `text` in the editor and blocks the calling thread until it exits.
    ///
    /// The file is in a folder that only this user can access. Both are removed afterwards.
    ///
    /// - Parameters:
    ///   - terminal: the editor's standard input, output and error.
    ///   - limit: the maximum number of bytes. A longer text is refused.
    ///   - text: the text to edit.
    /// - Returns: the edited text, which may be invalid UTF-8.
    public func edit(_ text: [UInt8], on terminal: Int32, limit: Int) throws(Failure) -> [UInt8] {
        let folder = try filed { () throws(FileError) in try makeFolder() }
        defer { Self.remove(folder) }
        try filed { () throws(FileError) in try folder.create(Self.file, holding: text.span) }
        try run(on: folder.path(of: Self.file), terminal)
        return try filed { () throws(FileError) in try folder.read(Self.file, limit: limit) }
    }

    /// Sends `signal` to the editor if it is running. SIGHUP, for example, has the effect of closing its terminal. No
    /// editor can be started afterwards.
    public func stop(by signal: Int32) {
        state.withLock { state in
            state.isStopped = true
            if let process = state.process { _ = kill(process, signal) }
        }
    }

    private func run(on path: String, _ terminal: Int32) throws(Failure) {
        let arguments = ["sh", "-c", command + " \"$1\"", "sh", path].map { Array($0.utf8) }
        let child: pid_t
        do throws(SystemError) {
            child = try state.withLock { (state) throws(SystemError) in
                guard !state.isStopped else { throw SystemError(code: ECANCELED) }
                let child = try ChildProgram.spawn(
                    "/bin/sh", arguments, InheritedEnvironment.environment, on: .terminal(terminal))
                state.process = child
                return child
            }
        } catch {
            throw .notStarted(error)
        }
        var information = unsafe siginfo_t()
        // The process stays a zombie until its ID is cleared here, so that no signal can reach another process with the
        // same ID.
        while unsafe waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        state.withLock { $0.process = nil }
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw .failed }
    }

    private func makeFolder() throws(FileError) -> GuardedFolder {
        let parent = try GuardedFolder(at: folder, mayBeShared: true)
        guard let random = try? RandomSource.system.bytes(8) else { throw .system(code: EIO) }
        return try GuardedFolder(making: parent.path(of: "latchkey-" + random.map { String($0, radix: 36) }.joined()))
    }

    /// Removes the folder with the file and all files that the editor left in it, such as a backup.
    private static func remove(_ folder: GuardedFolder) {
        for name in (try? FolderNames.all(in: folder.path)) ?? [] {
            unsafe withCStrings([name]) { names in
                if let name = unsafe names[0] { _ = unsafe unlinkat(folder.descriptor.number, name, 0) }
            }
        }
        _ = unsafe rmdir(folder.path)
    }

    private func filed<Result>(_ body: () throws(FileError) -> Result) throws(Failure) -> Result {
        do throws(FileError) { return try body() } catch { throw .file(error) }
    }
}
