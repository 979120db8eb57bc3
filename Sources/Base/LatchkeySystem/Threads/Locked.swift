import Glibc

/// A value protected by a lock. Only one thread at a time can use it.
///
/// It uses `pthread_mutex_t` instead of `Synchronization.Mutex`, because on Linux, ThreadSanitizer reports a race for
/// each use of the latter (docs/decisions/0003-locks.md).
@safe
public final class Locked<Value>: Sendable {
    // Proof: `value` is only used while `mutex` is locked, and `mutex` never moves because it is on the heap.
    private nonisolated(unsafe) var value: Value
    private nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// Protects `value` with a new lock.
    public init(_ value: sending Value) {
        unsafe self.value = value
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        _ = unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        _ = unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deinitialize(count: 1)
        unsafe mutex.deallocate()
    }

    /// Runs `body` with exclusive access to the value. The lock is not reentrant: `body` must not lock the value again.
    public func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        _ = unsafe pthread_mutex_lock(mutex)
        defer { _ = unsafe pthread_mutex_unlock(mutex) }
        return try unsafe body(&value)
    }

    /// Runs `body` with exclusive access to the value; nil if another thread has the lock.
    func withLockIfFree<Result>(
        _ body: (inout sending Value) -> sending Result
    ) -> sending Result? {
        guard unsafe pthread_mutex_trylock(mutex) == 0 else { return nil }
        defer { _ = unsafe pthread_mutex_unlock(mutex) }
        return unsafe body(&value)
    }
}
