import CLinux
import Glibc

/// What a process that handles secrets does before anything else.
public enum ProcessGuard {
    /// Why the process must not go on.
    public enum Refusal: Error, Equatable, Sendable {
        /// It runs with rights that its caller does not have.
        case setuid
        /// There are too few descriptors for anything to be done; an `errno`.
        case noDescriptors(code: Int32)
    }

    /// Free ones, at the least. Swift's runtime takes one for the main thread at a moment of its own, and where there is
    /// none then, it ends the process by a trap and without a word.
    private static let descriptors = 16

    /// Leaves no core dump, no backtrace and no memory to look into, makes new files ours alone, makes sure that 0, 1 and 2 are open so
    /// that no file of ours takes their place, and keeps what is open from the programs we start.
    ///
    /// To be called once, as the first thing in `main`, on its one thread.
    ///
    /// - Returns: what was in force before, for a program that is run in its caller's world.
    public static func enter() throws(Refusal) -> CallersWorld {
        guard geteuid() == getuid(), getegid() == getgid(), latchkey_is_secure_execution() == 0 else { throw .setuid }
        // Before the process is made undumpable: after that, /proc/self belongs to root.
        let inherited = try openStandardDescriptors()
        try proveDescriptors()
        _ = latchkey_set_undumpable()
        removeCrashHandlers()
        var coreLimit = rlim_t()
        _ = unsafe latchkey_exchange_core_limit(0, &coreLimit)
        let mask = umask(0o077)
        var signalMask = sigset_t()
        _ = unsafe pthread_sigmask(SIG_BLOCK, nil, &signalMask)
        // A file that grows beyond the process's limit is then an error and not a signal.
        let handler = signal(SIGXFSZ, SIG_IGN)
        return CallersWorld(
            fileModeMask: mask, coreLimit: coreLimit, descriptors: inherited,
            ignoredFileSizeSignal: isIgnored(handler), signalMask: signalMask)
    }

    /// Whether this process leaves no core dump and cannot be looked into by others of the same user.
    public static var isUndumpable: Bool { latchkey_is_dumpable() == 0 }

    /// - Returns: the descriptors above 2 that the caller meant a program to have.
    private static func openStandardDescriptors() throws(Refusal) -> [Int32] {
        for number in Int32(0)...2 where latchkey_closes_on_exec(number) < 0 {
            // The lowest free number is this one, for those below it are open.
            guard unsafe open("/dev/null", O_RDWR) == number else { throw .noDescriptors(code: errno) }
        }
        let inherited = openDescriptors().filter { $0 > 2 && latchkey_closes_on_exec($0) == 0 }
        for number in inherited { _ = latchkey_set_close_on_exec(number, 1) }
        // Whatever was not in the list, for want of /proc.
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

    /// With `SWIFT_BACKTRACE` set, Swift's own handlers would print registers and the memory they point at, secrets among
    /// it, out of this process: that it is undumpable does not stop them.
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
