/// How often one lane has failed, and when it last did.
public struct ThrottleFailures: Equatable, Sendable {
    public let count: Int
    public let lastAt: Timestamp

    package init(count: Int, lastAt: Timestamp) {
        self.count = count
        self.lastAt = lastAt
    }
}
