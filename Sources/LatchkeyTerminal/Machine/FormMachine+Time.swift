import LatchkeyFlows
import LatchkeyForms

/// What passes by itself: a secret is masked again, a call takes long, a wait ends.
extension FormMachine {
    /// A call that is answered sooner is not worth a word.
    public static let busyDelay = Duration.milliseconds(300)
    /// From when on a person wonders whether anything happens at all.
    public static let longCall = Duration.seconds(5)

    /// How far a call has come, as far as a person can tell.
    enum Business: Equatable, Sendable {
        /// Nothing runs, or only just.
        case none
        /// - Parameter step: of the spinner.
        case short(step: Int)
        case long(step: Int)
    }

    /// Somebody waits for an answer, or nobody does any more.
    mutating func hear(_ activity: ActivityEvent, at now: Instant) {
        busySince = activity == .busy ? busySince ?? now : nil
    }

    func business(at now: Instant) -> Business {
        guard let busySince, now >= busySince.advanced(by: Self.busyDelay) else { return .none }
        let step = Spinner.step(after: busySince.advanced(by: Self.busyDelay).duration(to: now))
        return now < busySince.advanced(by: Self.longCall) ? .short(step: step) : .long(step: step)
    }

    /// How many seconds there are to wait before the next attempt, rounded up; nil where there are none.
    func secondsToWait(at now: Instant) -> Int? {
        guard let waitsUntil, now < waitsUntil else { return nil }
        return now.duration(to: waitsUntil).wholeSecondsRoundedUp
    }

    /// When the next ``Action/tick`` is due; nil where none is.
    public func deadline(after now: Instant) -> Instant? {
        [reveal?.deadline, nextOfBusiness(after: now), nextSecond(after: now)].compactMap { $0 }.min()
    }

    private func nextOfBusiness(after now: Instant) -> Instant? {
        guard let busySince else { return nil }
        let begins = busySince.advanced(by: Self.busyDelay)
        switch business(at: now) {
        case .none: return begins
        case .short(let step), .long(let step): return begins.advanced(by: Spinner.interval * (step + 1))
        }
    }

    private func nextSecond(after now: Instant) -> Instant? {
        guard let waitsUntil else { return nil }
        return waitsUntil.advanced(by: .seconds(-max((secondsToWait(at: now) ?? 0) - 1, 0)))
    }

    mutating func passTime(on model: FormViewModel, at now: Instant) {
        if let reveal, now >= reveal.deadline { self.reveal = nil }
        if let waitsUntil, now >= waitsUntil {
            self.waitsUntil = nil
            model.dismissAlert()
        }
    }
}
