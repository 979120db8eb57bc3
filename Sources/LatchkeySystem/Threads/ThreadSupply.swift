import Glibc

/// Whether the system has the threads that a process takes.
///
/// Swift's tasks run on libdispatch's threads. Where the system has none to give, whoever asks for one waits there for ever,
/// and nothing fails: a limit of processes, of a control group or of the address space would be a program that hangs.
public enum ThreadSupply {
    /// Starts so many threads and ends them when all of them are there. What memory their stacks took the C library keeps, as
    /// far as it does, for those that come after.
    ///
    /// To be called before the first task that waits.
    ///
    /// - Parameters:
    ///   - shared: threads with the system's stack, as libdispatch has them.
    ///   - own: threads with the stack of ours.
    /// - Throws: ``SystemError``, `EAGAIN` where there are not so many.
    public static func prove(shared: Int, own: Int) throws(SystemError) {
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
