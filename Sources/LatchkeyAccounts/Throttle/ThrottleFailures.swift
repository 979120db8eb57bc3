/// How often one lane has failed, and when it last did.
public struct ThrottleFailures: Equatable, Sendable {
    public let count: Int
    public var lastAt: Timestamp
    /// The refusals at the lane's closed gate, for the audit trail; nil before the first.
    public var refusals: AuditFlood?

    package init(count: Int, lastAt: Timestamp, refusals: AuditFlood? = nil) {
        self.count = count
        self.lastAt = lastAt
        self.refusals = refusals
    }
}
