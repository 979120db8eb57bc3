/// Counts failed attempts: of one account, or of unknown names in one of 65,536 shared rows.
public enum Throttle: Hashable, Sendable {
    /// The failures of an account.
    case account(AccountID)
    /// The failures of all unknown names in a row.
    case unknownName(row: UInt16)
}

extension Throttle {
    /// The result of asking the throttle.
    enum Booking: Sendable {
        /// The attempt is booked as a failure already.
        ///
        /// Concurrent attempts therefore see each other, and killing the process does not undo a guess.
        ///
        /// - Parameter failures: this attempt included.
        case booked(failures: Int, after: ThrottleFailures?)
        case closed(retryAfter: Duration)
    }

    /// Asks the throttle and books the attempt in the caller's transaction. A blocked attempt is not booked but
    /// recorded.
    ///
    /// - Parameters:
    ///   - account: the account of the throttle; nil for an unknown name.
    ///   - reason: the reason of the record.
    func book(
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
        // The clock went back. Otherwise the throttle would block until the clock catches up, perhaps for years.
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

    /// Withdraws one booking whose password was not verified.
    func withdraw(in transaction: any ThrottleRows) throws(AccountError) {
        guard let failures = try transaction.failures(in: self) else { return }
        try transaction.setFailures(ThrottleSchedule.withdrawing(failures), in: self)
    }

    /// Clears the throttle, after recording the refusals that it only counted.
    func clear(
        recording trail: AuditTrail, about account: AccountID?, at now: Timestamp,
        in transaction: any ThrottleRows & AuditTrail.Rows
    ) throws(AccountError) {
        let counted = try transaction.failures(in: self)?.refusals?.counted ?? 0
        try Self.record(counted, trail, about: account, at: now, in: transaction)
        try transaction.setFailures(nil, in: self)
    }

    /// Records the refusals that the throttle only counted, if their minute is over.
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

/// The failures that a throttle has counted.
public struct ThrottleFailures: Equatable, Sendable {
    /// The failures that determine the delay. They halve with each idle day.
    public let count: Int
    /// When the last failure happened.
    public var lastAt: Timestamp
    /// All failures since the last success, as the owner sees them. Idle days do not halve them.
    public let total: Int
    /// The refusals by the blocked throttle, for the audit trail; nil if there were none.
    public var refusals: AuditFlood?

    /// Creates a count; `total` defaults to `count`.
    package init(count: Int, lastAt: Timestamp, total: Int? = nil, refusals: AuditFlood? = nil) {
        self.count = count
        self.lastAt = lastAt
        self.total = total ?? count
        self.refusals = refusals
    }
}
