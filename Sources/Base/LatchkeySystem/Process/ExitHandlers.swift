import CLinux
import Glibc

// A constant initial value, so that no lazy initialiser runs inside the signal handler.
//
// Proof: a word, written once, before any handler that reads it is installed.
private nonisolated(unsafe) var signalPipe: Int32 = -1

/// Functions that run before the process ends: by ``exit(_:)``, by `exit` of the C library, by a watched signal, or by
/// becoming another program. They do not run after a crash or SIGKILL.
public enum ExitHandlers {
    private static let handlers = Locked<[@Sendable () -> Void]>([])

    /// Runs `handler` before the end, and again if the process does not end after all.
    public static func add(_ handler: @escaping @Sendable () -> Void) {
        let isFirst = handlers.withLock { handlers in
            handlers.append(handler)
            return handlers.count == 1
        }
        guard isFirst else { return }
        _ = atexit { ExitHandlers.run() }
        _ = at_quick_exit { ExitHandlers.run() }
    }

    /// Ends the process after the handlers have run, but without the exit functions of C libraries.
    ///
    /// Threads still run at this point, and those functions free state that the threads use. `OPENSSL_cleanup`, for one,
    /// frees the list that OpenSSL walks on a thread that ends at the same time, which crashes the process.
    public static func exit(_ status: Int32) -> Never {
        _ = fflush(nil)
        quick_exit(status)
    }

    /// Runs the handlers now, before something other than `exit` ends the process.
    public static func run() {
        for handler in handlers.withLock({ $0 }) { handler() }
    }

    /// Makes signals with the default action end the process only after the handlers have run. Signals that are handled or
    /// ignored stay as they are. A second signal of the same kind ends the process at once. Call this once.
    ///
    /// - Throws: ``SystemError`` if there is no thread or pipe.
    public static func watch(_ signals: [Int32]) throws(SystemError) {
        var ends: (Int32, Int32) = (-1, -1)
        let code = unsafe withUnsafeMutableBytes(of: &ends) { ends in
            unsafe pipe(ends.assumingMemoryBound(to: Int32.self).baseAddress!)
        }
        guard code == 0 else { throw SystemError(code: errno) }
        for end in [ends.0, ends.1] { _ = latchkey_set_close_on_exec(end, 1) }
        let readEnd = ends.0
        try DetachedThread.start { waitForSignal(on: readEnd) }
        unsafe signalPipe = ends.1
        for signal in signals {
            var action = sigaction()
            _ = unsafe sigaction(signal, nil, &action)
            let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            let byDefault = unsafe unsafeBitCast(SIG_DFL, to: Int.self)
            guard handler == byDefault else { continue }
            action = sigaction()
            unsafe action.__sigaction_handler.sa_handler = note
            action.sa_flags = SA_RESTART | Int32(bitPattern: UInt32(SA_RESETHAND))
            _ = unsafe sigaction(signal, &action, nil)
        }
    }

    /// Waits for the number of a signal, runs the handlers and lets the signal end the process.
    private static func waitForSignal(on pipe: Int32) {
        var byte: UInt8 = 0
        while unsafe read(pipe, &byte, 1) != 1 {
            guard errno == EINTR else { return }
        }
        let number = Int32(byte)
        run()
        _ = signal(number, SIG_DFL)
        var set = sigset_t()
        _ = unsafe sigemptyset(&set)
        _ = unsafe sigaddset(&set, number)
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(number)
        _exit(128 + number)
    }
}

private func note(_ number: Int32) {
    let error = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = unsafe write(signalPipe, &byte, 1)
    errno = error
}
