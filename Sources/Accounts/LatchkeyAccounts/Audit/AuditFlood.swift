/// The failures of one minute: the number recorded individually and the number above the limit.
public struct AuditFlood: Equatable, Sendable {
    /// The start of the minute.
    public let since: Timestamp
    /// The number of failures that are recorded individually.
    public let recorded: Int
    /// The number of failures above the limit. A single record reports it after the minute.
    public let counted: Int

    /// Restores the counts of a minute.
    package init(since: Timestamp, recorded: Int, counted: Int) {
        self.since = since
        self.recorded = recorded
        self.counted = counted
    }

    /// The maximum number of recorded refusals per minute and throttle.
    static let limitPerThrottle = 20

    /// The maximum number of recorded failures per minute in the whole store, so that attempts on many names cannot
    /// flood it.
    ///
    /// Unknown names have the same limit, so that the counts do not reveal which accounts exist.
    static let limitPerStore = 100

    struct Step {
        let flood: AuditFlood
        let isRecorded: Bool
        /// The number of unrecorded failures in the previous minute.
        let counted: Int
    }

    /// Counts one failure, or `weight` failures that share a record.
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

    /// Whether the minute has passed. Also true if the clock went back, because the minute might otherwise never end.
    func isOver(at now: Timestamp) -> Bool {
        let age = now.since(since)
        return age >= .seconds(60) || age < .zero
    }
}
