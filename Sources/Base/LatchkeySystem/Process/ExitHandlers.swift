import Glibc

/// Functions that run before the process ends with ``exit(_:)`` or the C library's `exit`, or becomes another program.
/// They do not run after a crash or a signal.
package enum ExitHandlers {
    private static let handlers = Locked<[@Sendable () -> Void]>([])

    /// Registers `handler` to run before the process ends. If the process continues instead, `handler` runs again at
    /// the end.
    package static func add(_ handler: @escaping @Sendable () -> Void) {
        let isFirst = handlers.withLock { handlers in
            handlers.append(handler)
            return handlers.count == 1
        }
        guard isFirst else { return }
        _ = atexit { ExitHandlers.run() }
        _ = at_quick_exit { ExitHandlers.run() }
    }

    /// Runs the handlers and ends the process, without running the exit functions of C libraries.
    ///
    /// Threads still run at this point, and those functions free state that the threads use. For example,
    /// `OPENSSL_cleanup` frees the list that OpenSSL reads on a thread that ends at the same time, which crashes the
    /// process.
    package static func exit(_ status: Int32) -> Never {
        _ = fflush(nil)
        quick_exit(status)
    }

    /// Runs the handlers immediately, before the process ends in another way than by `exit`.
    package static func run() {
        for handler in handlers.withLock({ $0 }) { handler() }
    }
}
