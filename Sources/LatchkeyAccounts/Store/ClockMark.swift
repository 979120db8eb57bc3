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

extension StoreTransaction {
    /// Notes that it is `time`, if it is later than what the store has seen.
    func raiseClock(to time: Timestamp) throws(AccountError) {
        let mark = try clockMark
        guard time > mark.seen else { return }
        try setClockMark(ClockMark(seen: time, highest: max(time, mark.highest)))
    }
}
