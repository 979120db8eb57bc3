/// Attempts to log in that failed before one succeeded: told to the owner, who knows which of them were theirs.
public struct FailedLogins: Equatable, Sendable {
    public let count: Int
    public let lastAt: Timestamp

    package init(count: Int, lastAt: Timestamp) {
        self.count = count
        self.lastAt = lastAt
    }

    /// - Parameters:
    ///   - earlier: what the lane had before the attempt that succeeded was booked in it.
    ///   - present: what it has now, with that attempt and others that may have come since.
    init?(earlier: ThrottleFailures?, present: ThrottleFailures?) {
        let before = earlier?.total ?? 0
        let count = max((present?.total ?? 0) - 1, before)
        guard count > 0, let lastAt = count > before ? present?.lastAt : earlier?.lastAt else { return nil }
        self.init(count: count, lastAt: lastAt)
    }
}
