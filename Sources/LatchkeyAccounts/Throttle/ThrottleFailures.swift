/// How often one lane has failed, and when it last did.
public struct ThrottleFailures: Equatable, Sendable {
    public let count: Int
    public var lastAt: Timestamp
    /// All since the last success: what their owner is told. Silence does not halve it.
    public let total: Int
    /// The refusals at the lane's closed gate, for the audit trail; nil before the first.
    public var refusals: AuditFlood?

    package init(count: Int, lastAt: Timestamp, total: Int? = nil, refusals: AuditFlood? = nil) {
        self.count = count
        self.lastAt = lastAt
        self.total = total ?? count
        self.refusals = refusals
    }
}
