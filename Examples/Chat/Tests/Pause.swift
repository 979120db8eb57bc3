import Glibc
import LatchkeyTesting

/// Blocks a thread, such as a database's, until the test continues.
@safe
final class Pause: Sendable {
    private let paused = TestGate()
    // Proof: the pointer never changes, and a semaphore is thread-safe (sem_overview(7)).
    private nonisolated(unsafe) let goesOn: UnsafeMutablePointer<sem_t>

    init() {
        unsafe goesOn = .allocate(capacity: 1)
        unsafe goesOn.initialize(to: sem_t())
        _ = unsafe sem_init(goesOn, 0, 0)
    }

    deinit {
        _ = unsafe sem_destroy(goesOn)
        unsafe goesOn.deallocate()
    }

    func hold() {
        paused.open()
        while unsafe sem_wait(goesOn) != 0 && errno == EINTR {}
    }

    func untilHeld() async { await paused.wait() }
    func release() { _ = unsafe sem_post(goesOn) }
}
