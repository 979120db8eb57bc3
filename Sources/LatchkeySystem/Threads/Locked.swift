import Glibc

/// A value that one thread at a time may touch.
///
/// Over `pthread_mutex_t` and not `Synchronization.Mutex`, because ThreadSanitizer on Linux reports a race for each use
/// of the latter (docs/decisions/0003-locks.md).
@safe
public final class Locked<Value>: Sendable {
    // Proof: `value` is read and written only between the lock and the unlock of `mutex`, which never moves because it
    // lies on the heap.
    private nonisolated(unsafe) var value: Value
    private nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>

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

    /// Runs `body` with the value, while no other thread can touch it. Not reentrant: `body` must not lock again.
    public func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        _ = unsafe pthread_mutex_lock(mutex)
        defer { _ = unsafe pthread_mutex_unlock(mutex) }
        return try unsafe body(&value)
    }
}
