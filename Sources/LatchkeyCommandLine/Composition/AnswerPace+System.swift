import LatchkeyAccounts
import LatchkeySystem

extension AnswerPace {
    /// By the machine's clock that never goes back.
    static let system = AnswerPace(
        now: { .nanoseconds(SystemTime.monotonicNanoseconds()) },
        sleep: { try? await Task.sleep(for: $0, tolerance: .zero) })
}
