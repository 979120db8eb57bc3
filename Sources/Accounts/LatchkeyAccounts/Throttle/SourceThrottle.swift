/// The delay of a source after failures. 20 failures in ten minutes are free; then the delay doubles up to 900 s.
///
/// Failures with more than ten names count twice, because they suggest a test of stolen passwords. A success removes
/// only its own booking. Otherwise, an attacker could clear the throttle by logging in to their own account.
package enum SourceThrottleSchedule {
    static let free = 20
    static let window = Duration.seconds(600)
    static let mostNames = 10
    /// The time without failures after which a source above the limit loses half of its failures.
    static let halfLife = Duration.seconds(3600)

    /// The delay after this many failures.
    package static func delay(after failures: Int) -> Duration {
        guard failures > free else { return .zero }
        return min(.seconds(1 << min(failures - free - 1, 10)), ThrottleSchedule.longestDelay)
    }

    /// The remaining delay of the source. It never exceeds the full delay, even if the clock is wrong.
    package static func remainingDelay(of failures: SourceFailures?, at now: Timestamp) -> Duration {
        guard let failures else { return .zero }
        let delay = delay(after: failures.count)
        return min(max(delay - now.since(failures.lastAt), .zero), delay)
    }

    /// Adds a failure at `now` for the name with this tag, and returns its weight.
    package static func booking(
        _ failures: SourceFailures?, name: UInt32, at now: Timestamp
    ) -> (failures: SourceFailures, weight: Int) {
        let present = failures.flatMap { aged($0, at: now) }
        var names = present?.names ?? []
        if !names.contains(name), names.count <= mostNames { names.append(name) }
        let weight = names.count > mostNames ? 2 : 1
        let count = min((present?.count ?? 0) + weight, Int(Int32.max))
        return (SourceFailures(count: count, since: present?.since ?? now, lastAt: now, names: names), weight)
    }

    /// Removes a failure with this weight, because the password was correct or was not verified.
    static func withdrawing(_ failures: SourceFailures, weight: Int) -> SourceFailures {
        SourceFailures(
            count: max(failures.count - weight, 0), since: failures.since, lastAt: failures.lastAt,
            names: failures.names)
    }

    /// The failures of the current window; nil if a new window begins.
    private static func aged(_ failures: SourceFailures, at now: Timestamp) -> SourceFailures? {
        guard failures.count > free else { return now.since(failures.since) < window ? failures : nil }
        let silence = max(now.since(failures.lastAt), .zero)
        let count = failures.count >> Int(min(silence.components.seconds / halfLife.components.seconds, 62))
        return count > free
            ? SourceFailures(count: count, since: failures.since, lastAt: failures.lastAt, names: failures.names)
            : count < failures.count ? nil : failures
    }
}

/// The failures of one source with any name.
public struct SourceFailures: Equatable, Sendable {
    /// The number of failures that determine the delay.
    public let count: Int
    /// The start of the window of ``count``.
    public let since: Timestamp
    /// The time of the latest failure.
    public let lastAt: Timestamp
    /// The tags of the names that were tried, up to the number that affects the weight.
    public let names: [UInt32]

    /// Creates a count.
    package init(count: Int, since: Timestamp, lastAt: Timestamp, names: [UInt32]) {
        self.count = count
        self.since = since
        self.lastAt = lastAt
        self.names = names
    }
}

/// An attempt booked in the throttle of its source.
struct SourceBooking: Sendable {
    let row: UInt16
    let weight: Int

    /// Withdraws the booking, because the password was correct or was not verified.
    func withdraw(in transaction: any ThrottleRows) throws(AccountError) {
        guard let failures = try transaction.failures(ofSource: row) else { return }
        try transaction.setFailures(SourceThrottleSchedule.withdrawing(failures, weight: weight), ofSource: row)
    }
}
