extension ThrottleLane {
    /// What the gate of a lane said.
    enum Entry: Sendable {
        /// Booked as a failure already, so that of many at once none sees the others' as not there, and ending the
        /// process takes no guess back.
        case booked
        case closed(retryAfter: Duration)
    }

    /// Asks the gate and books the attempt, both in the caller's transaction. At a closed gate nothing is booked.
    func enter(at now: Timestamp, in transaction: any StoreTransaction) throws(AccountError) -> Entry {
        let failures = try transaction.failures(in: self)
        let delay = ThrottleSchedule.remainingDelay(of: failures, at: now)
        guard delay > .zero else {
            try transaction.setFailures(ThrottleSchedule.booking(failures, at: now), in: self)
            return .booked
        }
        if let failures, failures.lastAt > now {
            // The clock went back. Without this the lane would stay closed until it is where it was, perhaps for years.
            try transaction.setFailures(ThrottleFailures(count: failures.count, lastAt: now), in: self)
        }
        return .closed(retryAfter: delay)
    }

    /// Takes back one booking, whose guess was never judged.
    func withdraw(in transaction: any StoreTransaction) throws(AccountError) {
        guard let failures = try transaction.failures(in: self) else { return }
        try transaction.setFailures(ThrottleSchedule.withdrawing(failures), in: self)
    }
}
