/// The delay of a throttle after failures.
///
/// A month of guessing is limited to fewer than 5,800 attempts, half of them extra attempts (``ExtraAttempt``). The
/// throttle never blocks forever. Anyone can increase the counter, and a permanent block would lock the owner out (ASVS
/// 5.0, 6.1.1). NIST SP 800-63B-4, section 3.2.2, allows growing delays.
package enum ThrottleSchedule {
    /// The longest delay, 15 minutes, which begins with the 14th failure.
    package static let longestDelay = Duration.seconds(900)

    /// The time without failures after which a throttle loses half of its failures: one day.
    static let halfLife = Duration.seconds(86400)

    /// The number of failures that cause no delay in ``delay(after:)``.
    static let freeFailures = 3

    /// The delay after this many failures: none for up to 3, then 1, 2, 4, … 512 s, and 900 s from the 14th on.
    package static func delay(after failures: Int) -> Duration {
        switch failures {
        case ...3: .zero
        case 4...13: .seconds(1 << (failures - 4))
        default: longestDelay
        }
    }

    /// Whether the delay after this many failures is the longest.
    ///
    /// - Parameter free: the number of failures without a delay.
    static func isLongest(after failures: Int, free: Int = freeFailures) -> Bool {
        delay(after: failures - (free - freeFailures)) == longestDelay
    }

    /// The remaining delay of a throttle; zero if it is open. It never exceeds the full delay, even if the clock is
    /// wrong.
    ///
    /// - Parameter free: the number of failures that cause no delay.
    package static func remainingDelay(
        of failures: ThrottleFailures?, at now: Timestamp, free: Int = freeFailures
    ) -> Duration {
        guard let failures else { return .zero }
        let delay = delay(after: failures.count - (free - freeFailures))
        return min(max(delay - now.since(failures.lastAt), .zero), delay)
    }

    /// Adds a failure at `now`, after halving the count for each whole idle day.
    ///
    /// - Parameter isExtra: whether the attempt was admitted as an extra one.
    package static func booking(
        _ failures: ThrottleFailures?, at now: Timestamp, isExtra: Bool = false
    ) -> ThrottleFailures {
        guard let failures else { return ThrottleFailures(count: 1, lastAt: now) }
        let silence = max(now.since(failures.lastAt), .zero)
        let days = min(silence.components.seconds / halfLife.components.seconds, 62)
        let count = min(max(failures.count, 0) >> Int(days), Int(Int32.max))
        let total = min(max(failures.total, 0), Int(Int32.max))
        return ThrottleFailures(
            count: count + 1, lastAt: now, total: total + 1, refusals: failures.refusals,
            extraAt: isExtra ? now : failures.extraAt)
    }

    /// Removes the newest failure, because its password was not verified.
    static func withdrawing(_ failures: ThrottleFailures) -> ThrottleFailures? {
        let count = max(failures.count - 1, 0)
        let total = max(failures.total - 1, 0)
        let mayGo = count == 0 && total == 0 && failures.refusals?.counted ?? 0 == 0
        return mayGo
            ? nil
            : ThrottleFailures(
                count: count, lastAt: failures.lastAt, total: total, refusals: failures.refusals,
                extraAt: failures.extraAt)
    }
}

/// The attempts that a throttle admits before its delay is over: one in each 15-minute window.
///
/// Otherwise, a stranger who guesses at the end of every delay would lock the owner out. The throttle admits the first
/// attempt after a secret time in the window, derived from the store's key. A stranger therefore cannot time a guess to
/// come first (docs/decisions/0031-login-throttles.md).
enum ExtraAttempt {
    /// The window equals the longest delay, so extra attempts at most double the number of verified attempts.
    static let window = ThrottleSchedule.longestDelay

    /// Whether a blocked throttle with these failures admits an attempt at `now`.
    ///
    /// - Parameter waitsForMoment: false for the extra attempt of the identifier, which has already waited.
    static func isDue(
        in throttle: Throttle, after failures: ThrottleFailures, waitsForMoment: Bool = true,
        at now: Timestamp, _ key: StoreKey
    ) -> Bool {
        guard ThrottleSchedule.isLongest(after: failures.count, free: throttle.freeFailures) else { return false }
        let number = number(of: now)
        if let extraAt = failures.extraAt, Self.number(of: extraAt) == number { return false }
        return !waitsForMoment || now >= key.moment(ofWindow: number, in: throttle)
    }

    /// The number of the window that contains a time, counted from 1970; negative before.
    static func number(of time: Timestamp) -> Int64 {
        let length = window.wholeMilliseconds
        let (quotient, remainder) = time.milliseconds.quotientAndRemainder(dividingBy: length)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// The start of a window, clamped to the range of a ``Timestamp``.
    static func start(ofWindow number: Int64) -> Timestamp {
        let (start, overflow) = number.multipliedReportingOverflow(by: window.wholeMilliseconds)
        return Timestamp(milliseconds: overflow ? (number < 0 ? .min : .max) : start)
    }
}
