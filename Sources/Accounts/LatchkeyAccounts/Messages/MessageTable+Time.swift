package import LatchkeyForms

extension MessageTable {
    /// The time since `time`, rounded down to one unit, such as "2 min ago". A future time is shown in full.
    package func ago(_ time: Timestamp, now: Timestamp) -> String {
        let seconds = now.since(time).components.seconds
        // The clocks of two machines may differ by a few seconds.
        guard seconds > -60 else { return time.rfc3339 }
        let units: [(code: String, length: Int64)] = [
            ("time.years", 31_536_000), ("time.months", 2_592_000), ("time.days", 86_400), ("time.hours", 3600),
            ("time.minutes", 60),
        ]
        let messages = completed(by: .accounts)
        guard let unit = units.first(where: { seconds >= $0.length }) else { return messages.sentence("time.now") }
        return messages.sentence(unit.code, ["count": .integer(Int(seconds / unit.length))])
    }
}
