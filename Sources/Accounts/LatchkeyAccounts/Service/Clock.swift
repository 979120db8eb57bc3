/// Provides the current time. Only the composition root reads the system clock.
public protocol Clock: Sendable {
    /// The current time in UTC.
    func now() -> Timestamp
}

/// The newest times in a store, used to detect that the clock went back.
public struct ClockMark: Equatable, Sendable {
    /// The newest time written since the clock last went back.
    public let seen: Timestamp
    /// The newest time ever written, unless an operator has accepted an earlier one since.
    public let highest: Timestamp

    /// Creates a mark.
    package init(seen: Timestamp, highest: Timestamp) {
        self.seen = seen
        self.highest = highest
    }
}

extension ClockRows {
    /// The current time, or the newest time in the store if the clock is behind it: what has expired stays expired.
    func latest(_ now: Timestamp) throws(AccountError) -> Timestamp { max(now, try clockMark.seen) }

    /// Stores `time` if it is later than the newest time in the store.
    func raiseClock(to time: Timestamp) throws(AccountError) { try raiseClock(from: clockMark, to: time) }

    /// Stores `time` if it is later than `mark`, the newest time in the store.
    func raiseClock(from mark: ClockMark, to time: Timestamp) throws(AccountError) {
        guard time > mark.seen else { return }
        try setClockMark(ClockMark(seen: time, highest: max(time, mark.highest)))
    }
}

extension AccountService {
    /// The lag of the clock behind the newest time in the store; zero if it is not behind.
    public func clockLag() async throws(AccountError) -> Duration {
        let mark = try await store.read { (transaction) throws(AccountError) in try transaction.clockMark }
        return max(mark.highest.since(clock.now()), .zero)
    }

    /// The largest difference to the database's clock with which a service starts. Codes and challenges live for minutes,
    /// and every machine that shares the store must see the same ones.
    public static let largestClockDifference = Duration.seconds(60)

    /// The time by which the clock is ahead of the database server's, negative if it is behind; nil for a store on this
    /// machine. It is off by at most half the time that the server takes to answer.
    public func clockDifference() async throws(AccountError) -> Duration? {
        try await store.read { [clock] (transaction) throws(AccountError) in
            let before = clock.now()
            guard let time = try transaction.serverTime else { return nil }
            return before.advanced(by: clock.now().since(before) / 2).since(time)
        }
    }

    /// Accepts the current time although the store contains a later one. Expired values stay expired.
    public func acceptClock(by actor: AuditActor) async throws(AccountError) {
        let trail = try newTrail(by: actor)
        try await store.write { [clock] (transaction) throws(AccountError) in
            let now = clock.now()
            try trail.append(.clockAccepted, about: nil, at: now, in: transaction)
            try transaction.setClockMark(ClockMark(seen: try transaction.clockMark.seen, highest: now))
        }
    }
}
