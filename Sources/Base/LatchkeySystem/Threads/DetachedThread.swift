import Glibc

/// Starts threads for blocking work, which must not run on Swift's small thread pool.
package enum DetachedThread {
    /// The stack size in bytes, much more than Argon2 with one lane, SQLite and the body of a transaction need. Unused
    /// pages only cost address space.
    static let stackByteCount = 1 << 20

    /// Runs `body` on a new thread. The thread blocks all signals except those of a crash, so that signals reach the
    /// main thread.
    ///
    /// - Throws: ``SystemError`` with `EAGAIN` if the system has run out of threads.
    package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { unsafe attributes.deallocate() }
        _ = unsafe pthread_attr_init(attributes)
        defer { _ = unsafe pthread_attr_destroy(attributes) }
        _ = unsafe pthread_attr_setstacksize(attributes, stackByteCount)
        _ = unsafe pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))

        var blocked = sigset_t()
        var before = sigset_t()
        _ = unsafe sigfillset(&blocked)
        for signal in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT] { _ = unsafe sigdelset(&blocked, signal) }
        _ = unsafe pthread_sigmask(SIG_SETMASK, &blocked, &before)
        defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }

        let box = unsafe Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, attributes,
            { box in
                guard let box = unsafe box else { return nil }
                unsafe Unmanaged<Body>.fromOpaque(box).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        guard code == 0 else {
            unsafe box.release()
            throw SystemError(code: code)
        }
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
