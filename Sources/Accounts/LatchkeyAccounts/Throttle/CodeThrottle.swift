/// Counts wrong recovery codes in the whole store, per hour, because a wrong code belongs to no account.
///
/// It only limits how much guessing writes. With 120 random bits guessing is hopeless, and a right code is accepted
/// however many wrong ones there were.
public struct CodeFailures: Equatable, Sendable {
    /// How many wrong codes there were in the hour.
    public let count: Int
    /// When the hour began.
    public let since: Timestamp

    /// The most wrong codes per hour.
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

    /// How long until the hour is over.
    func remaining(at now: Timestamp) -> Duration { min(max(Self.hour - now.since(since), .zero), Self.hour) }
}
