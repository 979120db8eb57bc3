extension Throttle {
    /// What the gate of a throttle said.
    enum Booking: Sendable {
        /// Booked as a failure already, so that of many at once none sees the others' as not there, and ending the
        /// process takes no guess back.
        ///
        /// - Parameter failures: with this one.
        case booked(failures: Int, after: ThrottleFailures?)
        case closed(retryAfter: Duration)
    }

    /// Asks the gate and books the attempt, both in the caller's transaction. At a closed gate nothing is booked, and the
    /// refusal is recorded.
    ///
    /// - Parameters:
    ///   - account: whose throttle it is; nil for a name that nobody has.
    ///   - reason: of the refusal's record.
    func enter(
        recording trail: AuditTrail, about account: AccountID?, reason: AuditReason, at now: Timestamp,
        in transaction: any ThrottleRows & AuditTrail.Rows
    ) throws(AccountError) -> Booking {
        let failures = try transaction.failures(in: self)
        let delay = ThrottleSchedule.remainingDelay(of: failures, at: now)
        guard var failures, delay > .zero else {
            let booked = ThrottleSchedule.booking(failures, at: now)
            try transaction.setFailures(booked, in: self)
            return .booked(failures: booked.count, after: failures)
        }
        // The clock went back. Without this the throttle would stay closed until it is where it was, perhaps for years.
        if failures.lastAt > now { failures.lastAt = now }
        let step = AuditFlood.adding(to: failures.refusals, limit: AuditFlood.limitPerThrottle, at: now)
        failures.refusals = step.flood
        try transaction.setFailures(failures, in: self)
        try Self.record(step.counted, trail, about: account, at: now, in: transaction)
        if step.isRecorded {
            try trail.append(.loginThrottled, about: account, reason: reason, at: now, in: transaction)
        }
        return .closed(retryAfter: delay)
    }

    /// Takes back one booking, whose guess was never judged.
    func withdraw(in transaction: any ThrottleRows) throws(AccountError) {
        guard let failures = try transaction.failures(in: self) else { return }
        try transaction.setFailures(ThrottleSchedule.withdrawing(failures), in: self)
    }

    /// Clears the throttle; what it has only counted is recorded first.
    func clear(
        recording trail: AuditTrail, about account: AccountID?, at now: Timestamp,
        in transaction: any ThrottleRows & AuditTrail.Rows
    ) throws(AccountError) {
        let counted = try transaction.failures(in: self)?.refusals?.counted ?? 0
        try Self.record(counted, trail, about: account, at: now, in: transaction)
        try transaction.setFailures(nil, in: self)
    }

    /// Records what the throttle has only counted, where the minute of that is over.
    func settle(
        _ failures: ThrottleFailures, recording trail: AuditTrail, at now: Timestamp,
        in transaction: any ThrottleRows & AuditTrail.Rows
    ) throws(AccountError) {
        guard let refusals = failures.refusals, refusals.isOver(at: now) else { return }
        let account: AccountID? = if case .account(let id) = self { id } else { nil }
        try Self.record(refusals.counted, trail, about: account, at: now, in: transaction)
        try transaction.setFailures(
            ThrottleFailures(count: failures.count, lastAt: failures.lastAt, total: failures.total), in: self)
    }

    private static func record(
        _ counted: Int, _ trail: AuditTrail, about account: AccountID?, at now: Timestamp,
        in transaction: any AuditTrail.Rows
    ) throws(AccountError) {
        guard counted > 0 else { return }
        try trail.append(
            .loginThrottled, about: account, reason: .repeated(counted), weight: counted, at: now, in: transaction)
    }
}

/// The row in which failures are counted: an account's own, or one of 65,536 that names nobody has share.
public enum Throttle: Hashable, Sendable {
    case account(AccountID)
    case unknownName(row: UInt16)
}

/// How often one throttle has failed, and when it last did.
public struct ThrottleFailures: Equatable, Sendable {
    public let count: Int
    public var lastAt: Timestamp
    /// All since the last success: what their owner is told. Silence does not halve it.
    public let total: Int
    /// The refusals at the throttle's closed gate, for the audit trail; nil before the first.
    public var refusals: AuditFlood?

    package init(count: Int, lastAt: Timestamp, total: Int? = nil, refusals: AuditFlood? = nil) {
        self.count = count
        self.lastAt = lastAt
        self.total = total ?? count
        self.refusals = refusals
    }
}
