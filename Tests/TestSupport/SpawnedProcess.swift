import CLinux
import Dispatch
package import Foundation
import LatchkeySystem

/// A child process for tests, with the parts of Foundation's `Process` that they need.
///
/// Foundation's `Process` looks for open descriptors in `/proc/self/fd` and copies 256 bytes for each name. This ends
/// the process with signal 11 if it has many descriptors and the last name is at the end of a page
/// (https://github.com/swiftlang/swift-corelibs-foundation/pull/5472).
package final class SpawnedProcess {
    package var executableURL: URL?
    package var arguments: [String] = []
    /// Nil to inherit the variables of this process.
    package var environment: [String: String]?
    package var currentDirectoryURL: URL?
    /// A `Pipe`, whose other end stays open in this process, or a `FileHandle`; nil to inherit the stream of this
    /// process.
    package var standardInput: Any?
    package var standardOutput: Any?
    package var standardError: Any?
    package private(set) var processIdentifier: Int32 = 0
    private let ending = Ending()

    private struct Ending: Sendable {
        /// The status from `waitpid`; nil until the process has ended.
        let status = Locked<Int32?>(nil)
        let group = DispatchGroup()
    }

    package enum TerminationReason { case exit, uncaughtSignal }

    package init() {}

    /// Starts the process in a new process group, with no signal blocked.
    package func run() throws {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (stream, number) in [(standardInput, 0), (standardOutput, 1), (standardError, 2)] as [(Any?, Int32)] {
            guard let handle = Self.handle(of: stream, reading: number == 0) else { continue }
            unsafe posix_spawn_file_actions_adddup2(&actions, handle.fileDescriptor, number)
        }
        if let folder = currentDirectoryURL { unsafe latchkey_add_folder(&actions, folder.path) }
        guard unsafe latchkey_close_from(&actions, 3) == 0 else { throw CocoaError(.executableLoad) }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        let path = executableURL?.path ?? ""
        let variables = environment ?? ProcessInfo.processInfo.environment
        let words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        let settings = unsafe variables.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for index in unsafe words.indices { unsafe free(words[index]) } }
        defer { for index in unsafe settings.indices { unsafe free(settings[index]) } }
        let code = unsafe posix_spawn(&processIdentifier, path, &actions, &attributes, words, settings)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
        // Waits immediately, because Swift Testing's exit tests hang while an ended child has not been reaped.
        ending.group.enter()
        Thread.detachNewThread { [ending, processIdentifier] in
            var status: Int32 = 0
            while unsafe waitpid(processIdentifier, &status, 0) < 0, errno == EINTR {}
            ending.status.withLock { $0 = status }
            ending.group.leave()
        }
        // Otherwise this process would never see the end of the child's output.
        for (stream, number) in [(standardInput, 0), (standardOutput, 1), (standardError, 2)] where stream is Pipe {
            try Self.handle(of: stream, reading: number == 0)?.close()
        }
    }

    /// The end of a pipe for the child, or the file itself.
    private static func handle(of stream: Any?, reading: Bool) -> FileHandle? {
        guard let pipe = stream as? Pipe else { return stream as? FileHandle }
        return reading ? pipe.fileHandleForReading : pipe.fileHandleForWriting
    }

    package var isRunning: Bool { processIdentifier > 0 && ending.status.withLock { $0 } == nil }

    package func waitUntilExit() { ending.group.wait() }

    /// Sends SIGTERM.
    package func terminate() { if processIdentifier > 0 { kill(processIdentifier, SIGTERM) } }

    /// The exit status, or the number of the signal.
    package var terminationStatus: Int32 {
        let status = ending.status.withLock { $0 } ?? 0
        return status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
    }

    package var terminationReason: TerminationReason {
        (ending.status.withLock { $0 } ?? 0) & 0x7F == 0 ? .exit : .uncaughtSignal
    }
}
