/// How long a source is closed after its failures: 20 in ten minutes are free, and then the delay doubles up to 900 s.
/// Failures with more than ten names count double, for that is how passwords are tried that were stolen elsewhere.
///
/// A success takes back its own booking and no more: whoever has one account of their own could open their throttle otherwise.
package enum SourceThrottleSchedule {
    static let free = 20
    static let window = Duration.seconds(600)
    static let mostNames = 10
    /// A source over the limit that is left alone for this long has half its failures.
    static let halfLife = Duration.seconds(3600)

    package static func delay(after failures: Int) -> Duration {
        guard failures > free else { return .zero }
        return min(.seconds(1 << min(failures - free - 1, 10)), ThrottleSchedule.longestDelay)
    }

    /// How much longer the source is closed; never more than the delay itself, whatever the clock says.
    package static func remainingDelay(of failures: SourceFailures?, at now: Timestamp) -> Duration {
        guard let failures else { return .zero }
        let delay = delay(after: failures.count)
        return min(max(delay - now.since(failures.lastAt), .zero), delay)
    }

    /// The failures with one more, made at `now` under the name with this tag; and what it counts.
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

    /// The failures without one that counted `weight`, whose guess was right or never judged.
    static func withdrawing(_ failures: SourceFailures, weight: Int) -> SourceFailures {
        SourceFailures(
            count: max(failures.count - weight, 0), since: failures.since, lastAt: failures.lastAt,
            names: failures.names)
    }

    /// Nil where a new window begins.
    private static func aged(_ failures: SourceFailures, at now: Timestamp) -> SourceFailures? {
        guard failures.count > free else { return now.since(failures.since) < window ? failures : nil }
        let silence = max(now.since(failures.lastAt), .zero)
        let count = failures.count >> Int(min(silence.components.seconds / halfLife.components.seconds, 62))
        return count > free
            ? SourceFailures(count: count, since: failures.since, lastAt: failures.lastAt, names: failures.names)
            : count < failures.count ? nil : failures
    }
}

/// How often one source has failed, whatever names it gave.
public struct SourceFailures: Equatable, Sendable {
    public let count: Int
    /// When ``count`` began.
    public let since: Timestamp
    public let lastAt: Timestamp
    /// Tags of the accounts and names that were tried, no more than make a difference.
    public let names: [UInt32]

    package init(count: Int, since: Timestamp, lastAt: Timestamp, names: [UInt32]) {
        self.count = count
        self.since = since
        self.lastAt = lastAt
        self.names = names
    }
}

/// An attempt that is booked in the throttle of the source that it came from.
struct SourceBooking: Sendable {
    let row: UInt16
    let weight: Int

    /// Takes it back: the guess was right, or never judged.
    func withdraw(in transaction: any ThrottleRows) throws(AccountError) {
        guard let failures = try transaction.failures(ofSource: row) else { return }
        try transaction.setFailures(SourceThrottleSchedule.withdrawing(failures, weight: weight), ofSource: row)
    }
}
