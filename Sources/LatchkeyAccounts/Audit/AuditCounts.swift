/// A piece of the audit trail, counted.
public struct AuditCounts: Equatable, Sendable {
    /// By the name of the event, as it is written.
    public let byName: [String: Int]
    /// The number of the last record that was counted; nil where there are no more.
    public let last: Int64?

    package init(byName: [String: Int], last: Int64?) {
        self.byName = byName
        self.last = last
    }
}
