package import LatchkeyForms

extension MessageTable {
    /// The time since or until `time`, rounded down to one unit, such as "2 min ago" or "in 3 days".
    package func relative(_ time: Timestamp, now: Timestamp) -> String {
        let since = now.since(time).components.seconds
        // The clocks of two machines may differ by a few seconds. Half a minute is added to the rest of the future, so
        // that what ends in 7 days does not end "in 6 days" a moment later.
        let (seconds, code) = since > -60 ? (max(since, 0), "time.") : (30 - since, "time.in_")
        let units: [(name: String, length: Int64)] = [
            ("years", 31_536_000), ("months", 2_592_000), ("days", 86_400), ("hours", 3600), ("minutes", 60),
        ]
        let messages = completed(by: .accounts)
        guard let unit = units.first(where: { seconds >= $0.length }) else { return messages.sentence("time.now") }
        return messages.sentence(code + unit.name, ["count": .integer(Int(seconds / unit.length))])
    }
}
