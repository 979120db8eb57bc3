/// Which sessions are live: made after `createdAfter`, last used after `usedAfter`, and neither after `latest`.
public struct SessionWindow: Equatable, Sendable {
    public let createdAfter: Timestamp
    public let usedAfter: Timestamp
    public let latest: Timestamp

    package init(createdAfter: Timestamp, usedAfter: Timestamp, latest: Timestamp) {
        self.createdAfter = createdAfter
        self.usedAfter = usedAfter
        self.latest = latest
    }
}
