import LatchkeySecrets

/// Makes the audit records of one call. They are written in the same transaction as the recorded change.
package struct AuditTrail: Sendable {
    /// The tables that a record needs. Recording also stores the time, and ends sessions, codes and challenges if the clock
    /// went back.
    package typealias Rows = AuditRows & ClockRows & SessionRows & RecoveryRows & PasskeyRows

    let requestID: String
    /// The owner or operator who performs the action.
    package let actor: AuditActor
    /// The account as which the caller has authenticated; nil before that.
    private(set) var account: AccountID?
    let origin: AuditOrigin
    /// The limits that decide which sessions have expired when the clock goes back.
    private let sessions: SessionLimits

    init(
        by actor: AuditActor, random: RandomSource, origin: AuditOrigin, sessions: SessionLimits = SessionLimits()
    ) throws(AccountError) {
        do { requestID = Hexadecimal.text(of: try random.bytes(8)) } catch { throw .noRandomness }
        self.actor = actor
        if case .account(let administrator) = actor { account = administrator }
        self.origin = origin
        self.sessions = sessions
    }

    /// A copy of the trail for a caller who has authenticated as `account`.
    func acting(as account: AccountID) -> AuditTrail {
        var trail = self
        trail.account = account
        return trail
    }

    /// Stores the current time. If the clock went back, ends everything that had already expired and records the change
    /// once.
    ///
    /// Every record calls this. Call it before storing a timestamp, which would otherwise look expired after the clock
    /// went back.
    func watchClock(_ time: Timestamp, in transaction: any Rows) throws(AccountError) {
        try transaction.expect([.clock])
        let mark = try transaction.clockMark
        guard time.advanced(by: SessionLimits.clockTolerance) < mark.seen else {
            return try transaction.raiseClock(from: mark, to: time)
        }
        _ = try transaction.deleteSessions(
            createdBy: mark.seen.advanced(by: .zero - sessions.absolute),
            lastUsedBy: mark.seen.advanced(by: .zero - sessions.idle))
        try transaction.spendRecoveryCodes(expiredBy: mark.seen)
        try transaction.deletePasskeyChallenges(expiredBy: mark.seen)
        try transaction.setClockMark(ClockMark(seen: time, highest: mark.highest))
        try transaction.collect(PendingRecord(record(.clockWentBack, about: nil, at: time)))
    }

    /// Records an event. If this fails, the transaction is rolled back with its change.
    ///
    /// Above a limit, failures are counted but not recorded.
    ///
    /// - Parameter weight: the number of failures that the record represents.
    package func append(
        _ event: AuditEvent, about account: AccountID?, reason: AuditReason = .none, weight: Int = 1,
        at time: Timestamp, in transaction: any Rows
    ) throws(AccountError) {
        try watchClock(time, in: transaction)
        try transaction.collect(
            PendingRecord(record(event, about: account, reason: reason, at: time), weight: weight))
    }

    /// An event and its reason.
    package typealias Entry = (event: AuditEvent, reason: AuditReason)

    /// Records the events of one change, like ``append(_:about:reason:weight:at:in:)``.
    package func append(
        _ entries: [Entry], about account: AccountID?, at time: Timestamp, in transaction: any Rows
    ) throws(AccountError) {
        try watchClock(time, in: transaction)
        for (event, reason) in entries {
            try transaction.collect(PendingRecord(record(event, about: account, reason: reason, at: time)))
        }
    }

    /// A record without a number.
    func record(
        _ event: AuditEvent, about account: AccountID?, reason: AuditReason = .none, at time: Timestamp
    ) -> AuditRecord {
        AuditRecord(
            sequence: 0, time: time, name: event.rawValue, account: account, actor: actor, requestID: requestID,
            reason: reason.text, context: origin.context(actingAs: self.account))
    }
}
