/// How long a throttle is closed after its failures: pure arithmetic over what a store keeps.
///
/// Slow enough that a month of guessing gets fewer than 2,900 tries, and never closed for good: a counter that anybody
/// can drive must not be a weapon against the owner (ASVS 5.0, 6.1.1; NIST SP 800-63B-4, section 3.2.2, has growing waits).
package enum ThrottleSchedule {
    /// The longest delay, reached with the 14th failure.
    package static let longestDelay = Duration.seconds(900)

    /// A throttle that is left alone for this long has half its failures.
    static let halfLife = Duration.seconds(86400)

    /// How long nothing is judged after `failures` of them: none up to 3, then 1, 2, 4, … 512 s, and 900 s from 14 on.
    package static func delay(after failures: Int) -> Duration {
        switch failures {
        case ...3: .zero
        case 4...13: .seconds(1 << (failures - 4))
        default: longestDelay
        }
    }

    /// Whether after so many failures the delay is as long as it gets.
    static func isLongest(after failures: Int) -> Bool { delay(after: failures) == longestDelay }

    /// How much longer a throttle is closed; zero where it is open. Never more than the delay itself, whatever the clock says.
    package static func remainingDelay(of failures: ThrottleFailures?, at now: Timestamp) -> Duration {
        guard let failures else { return .zero }
        let delay = delay(after: failures.count)
        return min(max(delay - now.since(failures.lastAt), .zero), delay)
    }

    /// The failures with one more, made at `now`; they halve for each whole day of silence before it.
    package static func booking(_ failures: ThrottleFailures?, at now: Timestamp) -> ThrottleFailures {
        guard let failures else { return ThrottleFailures(count: 1, lastAt: now) }
        let silence = max(now.since(failures.lastAt), .zero)
        let days = min(silence.components.seconds / halfLife.components.seconds, 62)
        let count = min(max(failures.count, 0) >> Int(days), Int(Int32.max))
        let total = min(max(failures.total, 0), Int(Int32.max))
        return ThrottleFailures(count: count + 1, lastAt: now, total: total + 1, refusals: failures.refusals)
    }

    /// The failures without the newest, whose guess was never judged.
    static func withdrawing(_ failures: ThrottleFailures) -> ThrottleFailures? {
        let total = max(failures.total - 1, 0)
        let mayGo = total == 0 && failures.refusals?.counted ?? 0 == 0
        return mayGo
            ? nil
            : ThrottleFailures(
                count: max(failures.count - 1, 0), lastAt: failures.lastAt, total: total, refusals: failures.refusals)
    }
}
