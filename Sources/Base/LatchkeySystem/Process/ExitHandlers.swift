import Glibc

/// Functions that run before the process ends: by ``exit(_:)``, by `exit` of the C library, or by becoming
/// another program. They do not run after a crash or a signal.
public enum ExitHandlers {
    private static let handlers = Locked<[@Sendable () -> Void]>([])

    /// Registers `handler` to run before the process ends. If the process continues after all, `handler` runs again at
    /// the end.
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
    /// Threads still run at this point, and those functions free state that the threads use. `OPENSSL_cleanup`, for
    /// one, frees the list that OpenSSL walks on a thread that ends at the same time, which crashes the process.
    public static func exit(_ status: Int32) -> Never {
        _ = fflush(nil)
        quick_exit(status)
    }

    /// Runs the handlers now, before something other than `exit` ends the process.
    public static func run() {
        for handler in handlers.withLock({ $0 }) { handler() }
    }
}
