/// The attempts that a throttle admits although its delay is not over: one in each window of 15 minutes.
///
/// A stranger who guesses as soon as the delay is over would otherwise keep the owner out. The throttle admits the first
/// attempt after a moment of the window that only the store's key tells, so that a stranger cannot simply come first
/// (docs/decisions/0031-login-throttles.md).
enum ExtraAttempt {
    /// As long as the longest delay: twice as many attempts are verified as without extra ones.
    static let window = ThrottleSchedule.longestDelay

    /// Whether a blocked throttle with these failures admits an attempt at `now`.
    ///
    /// - Parameter waitsForMoment: false if the attempt is the extra one of its identifier and has waited already.
    static func isDue(
        in throttle: Throttle, after failures: ThrottleFailures, waitsForMoment: Bool = true,
        at now: Timestamp,
        _ key: StoreKey
    ) -> Bool {
        guard ThrottleSchedule.isLongest(after: failures.count) else { return false }
        let number = number(of: now)
        if let extraAt = failures.extraAt, Self.number(of: extraAt) == number { return false }
        return !waitsForMoment || now >= key.moment(ofWindow: number, in: throttle)
    }

    /// The number of the window that contains a time: windows since 1970, negative before.
    static func number(of time: Timestamp) -> Int64 {
        let length = window.wholeMilliseconds
        let (quotient, remainder) = time.milliseconds.quotientAndRemainder(dividingBy: length)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// When a window begins, clamped to the range of a ``Timestamp``.
    static func start(ofWindow number: Int64) -> Timestamp {
        let (start, overflow) = number.multipliedReportingOverflow(by: window.wholeMilliseconds)
        return Timestamp(milliseconds: overflow ? (number < 0 ? .min : .max) : start)
    }
}
