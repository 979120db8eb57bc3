/// A moment in UTC, in milliseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: Hashable, Comparable, Sendable {
    public let milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    /// The moment `duration` later; at the ends of the range it stays there.
    public func advanced(by duration: Duration) -> Timestamp {
        let (sum, overflow) = milliseconds.addingReportingOverflow(duration.wholeMilliseconds)
        guard overflow else { return Timestamp(milliseconds: sum) }
        return Timestamp(milliseconds: duration < .zero ? .min : .max)
    }

    /// How long after `earlier` this is; negative where it is before; at the ends of the range it stays there.
    public func since(_ earlier: Timestamp) -> Duration {
        let (difference, overflow) = milliseconds.subtractingReportingOverflow(earlier.milliseconds)
        return .milliseconds(overflow ? (self < earlier ? Int64.min : Int64.max) : difference)
    }

    /// As RFC 3339 writes it, in UTC with whole seconds: `2026-01-02T03:04:05Z`.
    public var rfc3339: String { rfc3339(fraction: "") }

    /// The same with milliseconds: `2026-01-02T03:04:05.678Z`.
    public var rfc3339Milliseconds: String {
        let rest = milliseconds % 1000
        let digits = String(rest < 0 ? rest + 1000 : rest)
        return rfc3339(fraction: "." + String(repeating: "0", count: 3 - digits.count) + digits)
    }

    private func rfc3339(fraction: String) -> String {
        let seconds = milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
        let day = seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400
        let second = seconds - day * 86400
        let date = CivilDate(daysSinceEpoch: day)
        func padded(_ number: Int64, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return padded(date.year, 4) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2) + "T"
            + padded(second / 3600, 2) + ":" + padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2) + fraction
            + "Z"
    }
}

/// A day of the proleptic Gregorian calendar.
private struct CivilDate {
    let year: Int64, month: Int64, day: Int64

    /// Counts in eras of 400 years (146,097 days) that begin on 1 March, so that a leap day is the last of its year.
    init(daysSinceEpoch: Int64) {
        let shifted = daysSinceEpoch + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }
}

extension Duration {
    /// Rounded towards zero; at the ends of the range of `Int64` it stays there.
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, overflowed) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return overflowed ? (seconds < 0 ? .min : .max) : sum
    }
}
