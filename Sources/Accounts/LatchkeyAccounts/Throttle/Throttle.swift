/// Counts failed attempts and delays further ones.
///
/// A login on an unknown device uses two throttles. The throttle of the typed identifier decides whether the caller
/// must wait. The throttle of the account limits the guesses at its password with any identifier, and no response
/// reveals its state. A login on a known device uses only the throttle of the device.
///
/// One-time codes have the same two steps: the throttle of the network, then that of the account, or only that of the
/// known device.
public enum Throttle: Hashable, Sendable {
    /// The failures of an account.
    case account(AccountID)
    /// The failures of all unknown names that share one of 65,536 rows.
    case unknownName(row: UInt16)
    /// The failures of all identifiers that share one of 65,536 rows, known or not.
    case identifier(row: UInt16)
    /// The failures on a known device, identified by the digest of its token.
    case device([UInt8])
    /// The wrong one-time codes of an account, from every network.
    case codes(AccountID)
    /// The wrong one-time codes of all pairs of an account and a network in one of 65,536 rows.
    case codesFromNetwork(row: UInt16)
}

extension Throttle {
    /// The number of failures without a delay.
    ///
    /// One network reaches the limit of ``codes(_:)`` only after hours, so that its guesses do not delay the owner in
    /// another network.
    var freeFailures: Int {
        switch self {
        case .account, .unknownName, .identifier, .device: ThrottleSchedule.freeFailures
        case .codes: 100
        case .codesFromNetwork: 5
        }
    }

    /// The remaining delay after these failures.
    ///
    /// - Parameter free: the number of failures without a delay; nil for ``freeFailures``.
    func remainingDelay(of failures: ThrottleFailures?, at now: Timestamp, free: Int? = nil) -> Duration {
        ThrottleSchedule.remainingDelay(of: failures, at: now, free: free ?? freeFailures)
    }

    /// The throttle's verdict on an attempt.
    enum Booking: Sendable {
        /// The attempt is already booked as a failure.
        ///
        /// Concurrent attempts therefore see each other, and killing the process does not undo the count.
        ///
        /// - Parameters:
        ///   - failures: the number of failures, including this attempt.
        ///   - isExtra: whether the attempt was admitted as an extra one, before the delay was over.
        case booked(failures: Int, after: ThrottleFailures?, isExtra: Bool)
        case closed(retryAfter: Duration)
    }

    /// Checks the throttle and books the attempt in the caller's transaction. A blocked attempt is recorded but not
    /// booked.
    ///
    /// - Parameters:
    ///   - account: the account of the throttle; nil for an unknown name.
    ///   - reason: the reason of the record.
    ///   - free: the number of failures without a delay; nil for ``freeFailures``.
    ///   - waitsForMoment: false if the attempt is the extra one of another throttle and has waited already.
    ///   - key: decides when a blocked throttle admits an extra attempt.
    func book(
        recording trail: AuditTrail, about account: AccountID?, reason: AuditReason, free: Int? = nil,
        waitsForMoment: Bool = true, at now: Timestamp, _ key: StoreKey,
        in transaction: any ThrottleRows & AuditTrail.Rows
    ) throws(AccountError) -> Booking {
        let failures = try transaction.failures(in: self)
        let delay = remainingDelay(of: failures, at: now, free: free)
        let isExtra =
            failures.map {
                delay > .zero && ExtraAttempt.isDue(in: self, after: $0, waitsForMoment: waitsForMoment, at: now, key)
            } ?? false
        guard var failures, delay > .zero, !isExtra else {
            let booked = ThrottleSchedule.booking(failures, at: now, isExtra: isExtra)
            try transaction.setFailures(booked, in: self)
            return .booked(failures: booked.count, after: failures, isExtra: isExtra)
        }
        failures.lastAt = min(failures.lastAt, now)
        let step = AuditFlood.adding(to: failures.refusals, limit: AuditFlood.limitPerThrottle, at: now)
        failures.refusals = step.flood
        try transaction.setFailures(failures, in: self)
        try Self.record(step.counted, trail, about: account, at: now, in: transaction)
        if step.isRecorded {
            try trail.append(.loginThrottled, about: account, reason: reason, at: now, in: transaction)
        }
        return .closed(retryAfter: delay)
    }

    /// Books an attempt that the identifier's throttle has admitted, unless this throttle blocks it.
    ///
    /// It always writes a row, so that the time does not reveal the decision.
    ///
    /// - Parameter isExtra: whether the attempt was the identifier's extra attempt.
    /// - Returns: whether the password may be verified; the failures, including this attempt if it was booked; and the
    ///   failures before.
    func bookAdmitted(
        isExtra: Bool, at now: Timestamp, _ key: StoreKey, in transaction: any ThrottleRows
    ) throws(AccountError) -> (isOpen: Bool, failures: Int, earlier: ThrottleFailures?) {
        let earlier = try transaction.failures(in: self)
        let isOpen = remainingDelay(of: earlier, at: now) == .zero
        if var blocked = earlier, !isOpen,
            !ExtraAttempt.isDue(in: self, after: blocked, waitsForMoment: !isExtra, at: now, key)
        {
            blocked.lastAt = min(blocked.lastAt, now)
            try transaction.setFailures(blocked, in: self)
            return (false, blocked.count, earlier)
        }
        let booked = ThrottleSchedule.booking(earlier, at: now, isExtra: !isOpen)
        try transaction.setFailures(booked, in: self)
        return (true, booked.count, earlier)
    }

    /// Changes the time of a failure in the future to now, because the clock went back. Otherwise, the throttle would
    /// stay blocked until the clock catches up, perhaps for years.
    func correctClock(at now: Timestamp, in transaction: any ThrottleRows) throws(AccountError) {
        guard var failures = try transaction.failures(in: self), failures.lastAt > now else { return }
        failures.lastAt = now
        try transaction.setFailures(failures, in: self)
    }

    /// Removes a booking, because the password was not verified.
    func withdraw(in transaction: any ThrottleRows) throws(AccountError) {
        guard let failures = try transaction.failures(in: self) else { return }
        try transaction.setFailures(ThrottleSchedule.withdrawing(failures), in: self)
    }

    /// Clears the throttle after recording the refusals that were only counted.
    ///
    /// - Returns: the failures before clearing.
    @discardableResult
    func clear(
        recording trail: AuditTrail, about account: AccountID?, at now: Timestamp,
        in transaction: any ThrottleRows & AuditTrail.Rows
    ) throws(AccountError) -> ThrottleFailures? {
        try Self.clear([self], recording: trail, about: account, at: now, in: transaction).first ?? nil
    }

    /// Clears throttles like ``clear(recording:about:at:in:)``. Reads all of them before it changes one.
    @discardableResult
    static func clear(
        _ throttles: [Throttle], recording trail: AuditTrail, about account: AccountID?, at now: Timestamp,
        in transaction: any ThrottleRows & AuditTrail.Rows
    ) throws(AccountError) -> [ThrottleFailures?] {
        try transaction.expect(throttles.map { .throttle($0) })
        let failures = try throttles.map { (throttle) throws(AccountError) in try transaction.failures(in: throttle) }
        // Two names may share a row.
        var counted: Set<Throttle> = []
        for (throttle, failures) in zip(throttles, failures) where counted.insert(throttle).inserted {
            try record(failures?.refusals?.counted ?? 0, trail, about: account, at: now, in: transaction)
            try transaction.setFailures(nil, in: throttle)
        }
        return failures
    }

    /// Returns the failures that the owner has not seen yet, and marks them as seen.
    ///
    /// The delay does not change, because a login on a known device proves nothing about attempts elsewhere.
    func takeUnseen(in transaction: any ThrottleRows) throws(AccountError) -> ThrottleFailures? {
        guard let failures = try transaction.failures(in: self) else { return nil }
        let seen = ThrottleFailures(
            count: failures.count, lastAt: failures.lastAt, total: 0, refusals: failures.refusals,
            extraAt: failures.extraAt)
        try transaction.setFailures(seen, in: self)
        return failures
    }

    /// Records the refusals that were only counted, if their minute is over.
    func settle(
        _ failures: ThrottleFailures, recording trail: AuditTrail, at now: Timestamp,
        in transaction: any ThrottleRows & AuditTrail.Rows
    ) throws(AccountError) {
        guard let refusals = failures.refusals, refusals.isOver(at: now) else { return }
        let account: AccountID? =
            switch self {
            case .account(let id), .codes(let id): id
            case .unknownName, .identifier, .device, .codesFromNetwork: nil
            }
        try Self.record(refusals.counted, trail, about: account, at: now, in: transaction)
        var settled = failures
        settled.refusals = nil
        try transaction.setFailures(settled, in: self)
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

/// The failures counted by a throttle.
public struct ThrottleFailures: Equatable, Sendable {
    /// The number of failures that determines the delay. It halves with each idle day.
    public let count: Int
    /// The time of the latest failure.
    public var lastAt: Timestamp
    /// The number of failures since the last success, as shown to the owner. It does not halve.
    public let total: Int
    /// The refusals while the throttle was blocked, for the audit trail; nil if there were none.
    public var refusals: AuditFlood?
    /// The time of the last extra attempt; nil if there was none.
    public let extraAt: Timestamp?

    /// Creates a count. `total` defaults to `count`.
    package init(
        count: Int, lastAt: Timestamp, total: Int? = nil, refusals: AuditFlood? = nil,
        extraAt: Timestamp? = nil
    ) {
        self.count = count
        self.lastAt = lastAt
        self.total = total ?? count
        self.refusals = refusals
        self.extraAt = extraAt
    }
}
