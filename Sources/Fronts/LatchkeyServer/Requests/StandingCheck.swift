import LatchkeyAccounts
import LatchkeySystem

/// The last result of a check that takes too long for a request. A request shows it and starts the next check in the
/// background.
final class StandingCheck<Value: Sendable>: Sendable {
    /// A result with the time at which it was found.
    struct Result: Sendable {
        let value: Value
        let at: Timestamp
    }

    private struct State {
        var last: Result?
        var isRunning = false
    }

    private let state = Locked(State())
    /// The age at which a result is replaced.
    private let lifetime: Duration

    init(for lifetime: Duration) { self.lifetime = lifetime }

    /// The last result. Starts a check if it is old, and waits for the first one for a moment.
    ///
    /// - Parameter again: whether to start a check in any case.
    /// - Returns: nil if the first check takes longer than ``patience``.
    func value(
        at now: Timestamp, again: Bool = false, _ check: @escaping @Sendable () async -> Value
    ) async -> Result? {
        if let last = start(at: now, again: again, check) { return last }
        let end = ContinuousClock.now + Self.patience
        while ContinuousClock.now < end {
            if let last = state.withLock({ $0.last }) { return last }
            do { try await Task.sleep(for: .milliseconds(20)) } catch { return nil }
        }
        return nil
    }

    /// How long a request waits for the first result.
    private static var patience: Duration { .milliseconds(500) }

    private func start(at now: Timestamp, again: Bool, _ check: @escaping @Sendable () async -> Value) -> Result? {
        let (last, starts) = state.withLock { state in
            let isOld = again || state.last.map { now.since($0.at) > lifetime } ?? true
            let starts = isOld && !state.isRunning
            if starts { state.isRunning = true }
            return (state.last, starts)
        }
        if starts {
            Task { [self] in
                let value = await check()
                state.withLock { $0 = State(last: Result(value: value, at: now)) }
            }
        }
        return last
    }
}
