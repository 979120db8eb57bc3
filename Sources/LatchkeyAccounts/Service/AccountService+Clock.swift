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
