extension AccountService {
    /// How far the clock is behind the newest time that the store has ever seen; zero where it is not.
    public func clockLag() async throws(AccountError) -> Duration {
        let mark = try await store.read { (transaction) throws(AccountError) in try transaction.clockMark }
        return max(mark.highest.since(clock.now()), .zero)
    }

    /// Takes the clock for right that is behind what the store has seen. What had ended by then stays ended.
    public func acceptClock(by actor: AuditActor) async throws(AccountError) {
        let trail = try newTrail(by: actor)
        try await store.write { [clock] (transaction) throws(AccountError) in
            let now = clock.now()
            try trail.append(.clockAccepted, about: nil, at: now, in: transaction)
            try transaction.setClockMark(ClockMark(seen: try transaction.clockMark.seen, highest: now))
        }
    }
}

/// What tells the service the time. Nothing below the composition root reads a clock of its own.
public protocol Clock: Sendable {
    /// The present moment, UTC.
    func now() -> Timestamp
}

/// What a store has seen of the clock, so that one that went back is noticed.
public struct ClockMark: Equatable, Sendable {
    /// The newest time that was written since the clock last went back.
    public let seen: Timestamp
    /// The newest that was ever written, or that an operator has accepted since.
    public let highest: Timestamp

    package init(seen: Timestamp, highest: Timestamp) {
        self.seen = seen
        self.highest = highest
    }
}

extension ClockRows {
    /// Notes that it is `time`, if it is later than what the store has seen.
    func raiseClock(to time: Timestamp) throws(AccountError) {
        let mark = try clockMark
        guard time > mark.seen else { return }
        try setClockMark(ClockMark(seen: time, highest: max(time, mark.highest)))
    }
}
