/// How many codes that nobody has were tried in one hour: a throttle of its own for the whole store, for such a code belongs to
/// nobody. It bounds what guessing writes, and no more: at 120 bits guessing gets nowhere, and a code that is right is
/// taken however many wrong ones there were.
public struct CodeFailures: Equatable, Sendable {
    public let count: Int
    /// When the hour began.
    public let since: Timestamp

    /// In an hour.
    package static let limit = 1000
    private static let hour = Duration.seconds(3600)

    package init(count: Int, since: Timestamp) {
        self.count = count
        self.since = since
    }

    /// What to keep after one more at `now`; nil where the hour is full.
    static func adding(to codes: CodeFailures?, at now: Timestamp) -> CodeFailures? {
        guard let codes, codes.since <= now, now.since(codes.since) < hour else {
            return CodeFailures(count: 1, since: now)
        }
        return codes.count < limit ? CodeFailures(count: codes.count + 1, since: codes.since) : nil
    }

    /// How long until the hour is over.
    func remaining(at now: Timestamp) -> Duration { min(max(Self.hour - now.since(since), .zero), Self.hour) }
}
