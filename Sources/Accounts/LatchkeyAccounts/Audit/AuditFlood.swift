/// Counts the failures of one minute: those with a record of their own, and those above the limit.
public struct AuditFlood: Equatable, Sendable {
    /// When the minute began.
    public let since: Timestamp
    /// How many failures have a record of their own.
    public let recorded: Int
    /// How many failures are above the limit. One record reports their number when the minute is over.
    public let counted: Int

    /// Restores the counts of a minute.
    package init(since: Timestamp, recorded: Int, counted: Int) {
        self.since = since
        self.recorded = recorded
        self.counted = counted
    }

    /// The most records per minute of refusals by one throttle.
    static let limitPerThrottle = 20

    /// The most records per minute of failures in the whole store, so that many names together cannot flood it either.
    ///
    /// Unknown names have the same limit, so that the counts do not reveal which names exist.
    static let limitPerStore = 100

    struct Step {
        let flood: AuditFlood
        let isRecorded: Bool
        /// How many failures the previous minute only counted.
        let counted: Int
    }

    /// Counts one more failure, or `weight` failures that share a record.
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

    /// Whether the minute has passed. Also true if the clock went back, because it might never reach the end of that
    /// minute.
    func isOver(at now: Timestamp) -> Bool {
        let age = now.since(since)
        return age >= .seconds(60) || age < .zero
    }
}
