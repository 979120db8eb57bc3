package import LatchkeyForms

extension MessageTable {
    /// The time since or until `time`, rounded down to one unit, such as "2 min ago" or "in 3 days".
    package func relative(_ time: Timestamp, now: Timestamp) -> String {
        let since = now.since(time).components.seconds
        // The clocks of two machines may differ by a few seconds. Half a minute is added to the rest of the future, so
        // that what ends in 7 days does not end "in 6 days" a moment later.
        let isPast = since > -60
        let seconds = isPast ? max(since, 0) : 30 - since
        let units: [(past: String, future: String, length: Int64)] = [
            ("time.years", "time.in_years", 31_536_000), ("time.months", "time.in_months", 2_592_000),
            ("time.days", "time.in_days", 86_400), ("time.hours", "time.in_hours", 3600),
            ("time.minutes", "time.in_minutes", 60),
        ]
        let messages = completed(by: .accounts)
        guard let unit = units.first(where: { seconds >= $0.length }) else { return messages.sentence("time.now") }
        return messages.sentence(
            isPast ? unit.past : unit.future, ["count": .integer(Int(seconds / unit.length))])
    }
}
