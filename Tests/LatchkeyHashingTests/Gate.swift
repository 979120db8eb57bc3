import Dispatch
import LatchkeySystem

/// Holds one thread until the test opens it.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let isReached = Locked(false)

    func pass() {
        isReached.withLock { $0 = true }
        semaphore.wait()
    }

    func open() { semaphore.signal() }

    func whenReached() async {
        while !isReached.withLock({ $0 }) { await Task.yield() }
    }
}
