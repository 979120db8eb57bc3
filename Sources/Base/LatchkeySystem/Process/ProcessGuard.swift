import CLinux
import Glibc

/// Protects a process that handles secrets. Call it before anything else.
package enum ProcessGuard {
    /// The reason why the process must not continue.
    package enum Refusal: Error, Equatable, Sendable {
        /// The process has privileges that its caller does not have.
        case setuid
        /// Too few descriptors are available. `code` is the `errno`.
        case noDescriptors(code: Int32)
    }

    /// The number of descriptors that must be available. At some point, Swift's runtime opens one for the main thread,
    /// and traps without a message if it cannot.
    private static let descriptors = 16

    /// Disables core dumps, backtraces and access to the process's memory, and makes new files private. Opens 0, 1 and
    /// 2, so that no other file gets these numbers, and prevents child programs from inheriting descriptors.
    ///
    /// Call this once at the start of `main`, before any other thread exists.
    ///
    /// - Returns: the previous settings, for a program that this process starts.
    package static func enter() throws(Refusal) -> InheritedEnvironment {
        guard geteuid() == getuid(), getegid() == getgid(), latchkey_is_secure_execution() == 0 else { throw .setuid }
        // This must come before the process becomes undumpable, because after that, /proc/self belongs to root.
        let inherited = try openStandardDescriptors()
        try proveDescriptors()
        _ = latchkey_set_undumpable()
        removeCrashHandlers()
        var coreLimit = rlim_t()
        _ = unsafe latchkey_exchange_core_limit(0, &coreLimit)
        let mask = umask(0o077)
        var signalMask = sigset_t()
        _ = unsafe pthread_sigmask(SIG_BLOCK, nil, &signalMask)
        // If the signal is ignored, exceeding the process's file size limit causes an error instead.
        let handler = signal(SIGXFSZ, SIG_IGN)
        return InheritedEnvironment(
            fileModeMask: mask, coreLimit: coreLimit, descriptors: inherited,
            ignoredFileSizeSignal: isIgnored(handler), signalMask: signalMask)
    }

    /// Whether the process leaves no core dump, and other processes of the user cannot read its memory.
    package static var isUndumpable: Bool { latchkey_is_dumpable() == 0 }

    /// - Returns: the descriptors above 2 that the caller passed on.
    private static func openStandardDescriptors() throws(Refusal) -> [Int32] {
        for number in Int32(0)...2 where latchkey_closes_on_exec(number) < 0 {
            // `open` returns the lowest free number, and those below this one are open.
            // Writing a result to a closed output must fail, not vanish.
            let mode = number == STDOUT_FILENO ? O_RDONLY : O_RDWR
            guard unsafe open("/dev/null", mode) == number else { throw .noDescriptors(code: errno) }
        }
        let inherited = openDescriptors().filter { $0 > 2 && latchkey_closes_on_exec($0) == 0 }
        for number in inherited { _ = latchkey_set_close_on_exec(number, 1) }
        // This covers descriptors that are not in the list because /proc is not mounted.
        _ = latchkey_set_close_on_exec_from(3)
        return inherited
    }

    private static func proveDescriptors() throws(Refusal) {
        var taken: [Int32] = []
        defer { for number in taken { close(number) } }
        while taken.count < descriptors {
            let number = dup(0)
            guard number >= 0 else { throw .noDescriptors(code: errno) }
            taken.append(number)
        }
    }

    /// If `SWIFT_BACKTRACE` is set, Swift's handlers would print registers and the memory to which they point, which
    /// may contain secrets. This happens even in an undumpable process.
    private static func removeCrashHandlers() {
        for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
            if isIgnored(signal(number, SIG_DFL)) { _ = signal(number, SIG_IGN) }
        }
    }

    private static func openDescriptors() -> [Int32] {
        guard let folder = unsafe opendir("/proc/self/fd") else { return [] }
        defer { _ = unsafe closedir(folder) }
        let own = unsafe dirfd(folder)
        return unsafe FolderNames.all(in: folder).compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
            .filter { $0 != own }
    }

    private static func isIgnored(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
        unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
