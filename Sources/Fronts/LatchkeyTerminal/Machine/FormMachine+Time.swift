import LatchkeyFlows
import LatchkeyForms

/// Handles the passage of time: masks a revealed secret again, shows a spinner during a call, and ends a wait.
extension FormMachine {
    /// The delay before the form shows that a call is running.
    public static let busyDelay = Duration.milliseconds(300)
    /// The delay before the form shows how to cancel a running call.
    public static let longCall = Duration.seconds(5)

    /// The displayed progress of a running call. `step` is the step of the spinner.
    enum CallProgress: Equatable, Sendable {
        /// No call is running, or the call has only just begun.
        case none
        case short(step: Int)
        case long(step: Int)
    }

    /// Records the start and the end of a call.
    mutating func update(_ activity: ActivityEvent, at now: Instant) {
        busySince = activity == .busy ? busySince ?? now : nil
    }

    func callProgress(at now: Instant) -> CallProgress {
        guard let busySince, now >= busySince.advanced(by: Self.busyDelay) else { return .none }
        let step = Spinner.step(after: busySince.advanced(by: Self.busyDelay).duration(to: now))
        return now < busySince.advanced(by: Self.longCall) ? .short(step: step) : .long(step: step)
    }

    /// The remaining seconds until the next attempt, rounded up; nil if there is no wait.
    func secondsToWait(at now: Instant) -> Int? {
        guard let waitsUntil, now < waitsUntil else { return nil }
        return now.duration(to: waitsUntil).wholeSecondsRoundedUp
    }

    /// The time of the next ``Action/Key/tick``; nil if no part of the screen changes with time.
    public func deadline(after now: Instant) -> Instant? {
        [reveal?.deadline, nextSpinnerStep(after: now), nextSecond(after: now), secretsUntil].compactMap { $0 }.min()
    }

    private func nextSpinnerStep(after now: Instant) -> Instant? {
        guard let busySince else { return nil }
        let begins = busySince.advanced(by: Self.busyDelay)
        switch callProgress(at: now) {
        case .none: return begins
        case .short(let step), .long(let step): return begins.advanced(by: Spinner.interval * (step + 1))
        }
    }

    private func nextSecond(after now: Instant) -> Instant? {
        guard let waitsUntil else { return nil }
        return waitsUntil.advanced(by: .seconds(-max((secondsToWait(at: now) ?? 0) - 1, 0)))
    }

    /// - Returns: whether a form whose wait has ended can now be submitted.
    mutating func passTime(on model: FormViewModel, at now: Instant) -> Bool {
        if let secretsUntil, now >= secretsUntil {
            self.secretsUntil = nil
            submitsAfterWait = false
            model.dropSecrets()
        }
        if let deadline = reveal?.deadline, now >= deadline { self.reveal = nil }
        if let waitsUntil, now >= waitsUntil {
            self.waitsUntil = nil
            model.dismissAlert()
            defer { submitsAfterWait = false }
            return submitsAfterWait
        }
        return false
    }
}
