import Glibc

/// Checks that the system can provide the threads that a process needs.
///
/// Swift's tasks run on libdispatch's threads. If the system provides none, libdispatch waits forever without an error.
/// Without this check, a limit on processes, on a control group or on the address space would make the program hang.
package enum ThreadSupply {
    /// Starts this many threads and ends them when all are running. The C library may reuse their stacks for later
    /// threads.
    ///
    /// Call this before the first task waits.
    ///
    /// - Parameters:
    ///   - shared: the number of threads with the system's stack size, which libdispatch uses.
    ///   - own: the number of threads with Latchkey's stack size.
    /// - Throws: ``SystemError`` with `EAGAIN` if the system cannot provide that many.
    package static func prove(shared: Int, own: Int) throws(SystemError) {
        let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        defer { unsafe gate.deallocate() }
        _ = unsafe pthread_mutex_init(gate, nil)
        defer { _ = unsafe pthread_mutex_destroy(gate) }
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { unsafe attributes.deallocate() }
        _ = unsafe pthread_attr_init(attributes)
        defer { _ = unsafe pthread_attr_destroy(attributes) }
        _ = unsafe pthread_attr_setstacksize(attributes, DetachedThread.stackByteCount)
        var threads: [pthread_t] = []
        var code: Int32 = 0
        _ = unsafe pthread_mutex_lock(gate)
        while threads.count < shared + own, code == 0 {
            var thread = pthread_t()
            code = unsafe pthread_create(
                &thread, threads.count < shared ? nil : attributes,
                { gate in
                    guard let gate = unsafe gate?.assumingMemoryBound(to: pthread_mutex_t.self) else { return nil }
                    _ = unsafe pthread_mutex_lock(gate)
                    _ = unsafe pthread_mutex_unlock(gate)
                    return nil
                }, gate)
            if code == 0 { threads.append(thread) }
        }
        _ = unsafe pthread_mutex_unlock(gate)
        for thread in threads { _ = pthread_join(thread, nil) }
        guard code == 0 else { throw SystemError(code: code) }
    }
}
