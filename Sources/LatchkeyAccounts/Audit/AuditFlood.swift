/// The failures of one minute: how many of them have records of their own, and how many were only counted.
public struct AuditFlood: Equatable, Sendable {
    /// When the minute began.
    public let since: Timestamp
    public let recorded: Int
    /// Beyond the limit; one record tells their number when the minute is over.
    public let counted: Int

    package init(since: Timestamp, recorded: Int, counted: Int) {
        self.since = since
        self.recorded = recorded
        self.counted = counted
    }

    /// Records of refusals at one closed gate in a minute.
    static let limitPerThrottle = 20

    /// Records of failures of any kind in a minute in the whole store, so that many names at once can flood it no more
    /// than one can. The same for names that nobody has: which is counted tells nothing.
    static let limitPerStore = 100

    struct Step {
        let flood: AuditFlood
        let isRecorded: Bool
        /// How many the minute that is now over has only counted.
        let counted: Int
    }

    /// One failure more, or `weight` of them that share a record.
    static func adding(_ weight: Int = 1, to flood: AuditFlood?, limit: Int, at now: Timestamp) -> Step {
        guard let flood, !flood.isOver(at: now) else {
            return Step(
                flood: AuditFlood(since: now, recorded: 1, counted: 0), isRecorded: true, counted: flood?.counted ?? 0)
        }
        let isRecorded = flood.recorded < limit
        let sum = flood.counted.addingReportingOverflow(isRecorded ? 0 : weight)
        return Step(
            flood: AuditFlood(
                since: flood.since, recorded: flood.recorded + (isRecorded ? 1 : 0),
                counted: sum.overflow ? .max : sum.partialValue),
            isRecorded: isRecorded, counted: 0)
    }

    /// Whether its minute has passed; also where the clock went back, for it may never get there again.
    func isOver(at now: Timestamp) -> Bool {
        let age = now.since(since)
        return age >= .seconds(60) || age < .zero
    }
}
