/// How long a throttle blocks after failures.
///
/// A month of guessing gets fewer than 5,800 tries, half of them extra ones (``ExtraAttempt``). It never blocks forever, because anyone can drive the counter up
/// and lock the owner out (ASVS 5.0, 6.1.1; NIST SP 800-63B-4, section 3.2.2, allows growing delays).
package enum ThrottleSchedule {
    /// The longest delay, reached with the 14th failure.
    package static let longestDelay = Duration.seconds(900)

    /// A throttle loses half its failures after this long without another.
    static let halfLife = Duration.seconds(86400)

    /// The delay after this many failures: none up to 3, then 1, 2, 4, … 512 s, and 900 s from 14 on.
    package static func delay(after failures: Int) -> Duration {
        switch failures {
        case ...3: .zero
        case 4...13: .seconds(1 << (failures - 4))
        default: longestDelay
        }
    }

    /// Whether the delay after this many failures is the longest.
    static func isLongest(after failures: Int) -> Bool { delay(after: failures) == longestDelay }

    /// How much longer a throttle blocks; zero if it is open, and never more than the whole delay, whatever the clock
    /// says.
    package static func remainingDelay(of failures: ThrottleFailures?, at now: Timestamp) -> Duration {
        guard let failures else { return .zero }
        let delay = delay(after: failures.count)
        return min(max(delay - now.since(failures.lastAt), .zero), delay)
    }

    /// Adds a failure at `now`, after halving the count for each whole idle day.
    ///
    /// - Parameter isExtra: whether it was admitted as an extra attempt.
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

    /// Removes the newest failure, whose password was not verified.
    static func withdrawing(_ failures: ThrottleFailures) -> ThrottleFailures? {
        let total = max(failures.total - 1, 0)
        let mayGo = total == 0 && failures.refusals?.counted ?? 0 == 0
        return mayGo
            ? nil
            : ThrottleFailures(
                count: max(failures.count - 1, 0), lastAt: failures.lastAt, total: total, refusals: failures.refusals,
                extraAt: failures.extraAt)
    }
}
