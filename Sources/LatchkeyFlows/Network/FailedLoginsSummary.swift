/// Attempts to log in that failed before one succeeded.
public struct FailedLoginsSummary: Equatable, Sendable {
    public let count: Int
    /// The newest, RFC 3339, UTC.
    public let lastAt: String

    public init(count: Int, lastAt: String) {
        self.count = count
        self.lastAt = lastAt
    }
}
