/// Counts wrong recovery codes per hour in the whole store, because a wrong code cannot be assigned to an account.
///
/// It only limits the number of records. Guessing 120 random bits is infeasible, and a correct code is accepted after
/// any number of wrong ones.
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

    /// Counts a wrong code at `now`; nil if the limit of the hour is reached.
    static func adding(to codes: CodeFailures?, at now: Timestamp) -> CodeFailures? {
        guard let codes, codes.since <= now, now.since(codes.since) < hour else {
            return CodeFailures(count: 1, since: now)
        }
        return codes.count < limit ? CodeFailures(count: codes.count + 1, since: codes.since) : nil
    }

    /// The time until the end of the hour.
    func remaining(at now: Timestamp) -> Duration { min(max(Self.hour - now.since(since), .zero), Self.hour) }
}
