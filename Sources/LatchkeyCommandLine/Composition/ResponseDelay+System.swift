import LatchkeyAccounts
import LatchkeySystem

extension ResponseDelay {
    /// By the machine's clock that never goes back.
    static let system = ResponseDelay(
        now: { .nanoseconds(SystemTime.monotonicNanoseconds()) },
        sleep: { try? await Task.sleep(for: $0, tolerance: .zero) })
}
