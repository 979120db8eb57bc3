import LatchkeyAccounts
import LatchkeySystem

/// The last result of a check that may take too long for a request. A request shows it and starts the next check in the
/// background.
final class StandingCheck<Value: Sendable>: Sendable {
    /// A result with the time at which it was found.
    struct Result: Sendable {
        let value: Value
        let at: Timestamp
    }

    private struct State {
        var last: Result?
        /// The number of results so far.
        var number = 0
        var isRunning = false
    }

    private let state = Locked(State())
    /// The age at which a result is replaced.
    private let lifetime: Duration
    /// How long a request waits for a result.
    private let patience: Duration

    init(for lifetime: Duration, patience: Duration = .milliseconds(500)) {
        (self.lifetime, self.patience) = (lifetime, patience)
    }

    /// The last result. If it is old, starts a check and waits for a moment, so that a quick check shows the present.
    ///
    /// - Parameter again: whether to start a check in any case.
    /// - Returns: the last result if the check takes longer than half a second; nil if that is the first one.
    func value(
        at now: Timestamp, again: Bool = false, _ check: @escaping @Sendable () async -> Value
    ) async -> Result? {
        let (last, number, isOld) = start(at: now, again: again, check)
        guard isOld else { return last }
        let end = ContinuousClock.now + patience
        while ContinuousClock.now < end {
            if let found = state.withLock({ $0.number > number ? $0.last : nil }) { return found }
            do { try await Task.sleep(for: .milliseconds(5)) } catch { return last }
        }
        return last
    }

    /// - Returns: the last result, the number of results so far, and whether the last one is old.
    private func start(
        at now: Timestamp, again: Bool, _ check: @escaping @Sendable () async -> Value
    ) -> (last: Result?, number: Int, isOld: Bool) {
        let (found, starts) = state.withLock { state in
            let isOld = again || state.last.map { now.since($0.at) > lifetime } ?? true
            let starts = isOld && !state.isRunning
            if starts { state.isRunning = true }
            return ((state.last, state.number, isOld), starts)
        }
        if starts {
            Task { [self] in
                let value = await check()
                state.withLock { $0 = State(last: Result(value: value, at: now), number: $0.number + 1) }
            }
        }
        return found
    }
}
