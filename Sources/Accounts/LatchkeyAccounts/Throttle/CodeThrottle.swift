/// Counts wrong recovery codes in the whole store, per hour, because a wrong code belongs to no account.
///
/// It only limits the number of records. With 120 random bits guessing is hopeless, and a correct code is accepted
/// after any number of wrong ones.
public struct CodeFailures: Equatable, Sendable {
    /// The number of wrong codes in the hour.
    public let count: Int
    /// The start of the hour.
    public let since: Timestamp

    /// The maximum number of wrong codes per hour.
    package static let limit = 1000
    private static let hour = Duration.seconds(3600)

    /// Restores a count.
    package init(count: Int, since: Timestamp) {
        self.count = count
        self.since = since
    }

    /// Counts one more wrong code at `now`; nil if the hour has reached the limit.
    static func adding(to codes: CodeFailures?, at now: Timestamp) -> CodeFailures? {
        guard let codes, codes.since <= now, now.since(codes.since) < hour else {
            return CodeFailures(count: 1, since: now)
        }
        return codes.count < limit ? CodeFailures(count: codes.count + 1, since: codes.since) : nil
    }

    /// The time until the hour is over.
    func remaining(at now: Timestamp) -> Duration { min(max(Self.hour - now.since(since), .zero), Self.hour) }
}
