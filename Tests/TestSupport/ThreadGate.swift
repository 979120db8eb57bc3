import Dispatch
import LatchkeySystem

/// Blocks threads until the test lets them continue. For tasks, see ``TestGate``.
public final class ThreadGate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let arrivals = Locked(0)

    public init() {}

    /// Blocks the calling thread until the test calls ``open(for:)``.
    public func pass() {
        arrivals.withLock { $0 += 1 }
        semaphore.wait()
    }

    /// Lets `count` threads pass.
    public func open(for count: Int = 1) { for _ in 0..<count { semaphore.signal() } }

    /// Returns once `count` threads have arrived.
    public func whenArrived(_ count: Int = 1) async {
        while arrivals.withLock({ $0 }) < count { await Task.yield() }
    }
}
