/// How often one source has failed, whatever names it gave.
public struct SourceFailures: Equatable, Sendable {
    public let count: Int
    /// When ``count`` began.
    public let since: Timestamp
    public let lastAt: Timestamp
    /// Tags of the accounts and names that were tried, no more than make a difference.
    public let names: [UInt32]

    package init(count: Int, since: Timestamp, lastAt: Timestamp, names: [UInt32]) {
        self.count = count
        self.since = since
        self.lastAt = lastAt
        self.names = names
    }
}
