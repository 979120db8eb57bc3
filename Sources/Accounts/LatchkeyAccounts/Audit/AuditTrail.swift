import LatchkeySecrets

/// Writes the audit records of one call, in the same transaction as the recorded change.
package struct AuditTrail: Sendable {
    /// The tables that a record needs. Recording also stores the time, and ends sessions if the clock went back.
    package typealias Rows = AuditRows & ClockRows & SessionRows

    let requestID: String
    /// The owner or operator who performs the action.
    package let actor: AuditActor
    /// The account as which the caller has authenticated; nil before that.
    private(set) var account: AccountID?
    let origin: AuditOrigin
    let limits: AuditLimits
    /// The limits that decide which sessions have expired when the clock goes back.
    private let sessions: SessionLimits

    init(
        by actor: AuditActor, random: RandomSource, origin: AuditOrigin, limits: AuditLimits,
        sessions: SessionLimits = SessionLimits()
    ) throws(AccountError) {
        do { requestID = Hexadecimal.text(of: try random.bytes(8)) } catch { throw .noRandomness }
        self.actor = actor
        if case .account(let administrator) = actor { account = administrator }
        self.origin = origin
        self.limits = limits
        self.sessions = sessions
    }

    /// A copy of the trail for a caller who has authenticated as `account`.
    func acting(as account: AccountID) -> AuditTrail {
        var trail = self
        trail.account = account
        return trail
    }

    /// Stores the current time. If the clock went back, deletes everything that had already expired and records the
    /// change once.
    ///
    /// Every record calls this. Call it before storing a timestamp, which would otherwise look expired after the clock
    /// went back.
    func watchClock(_ time: Timestamp, in transaction: any Rows) throws(AccountError) {
        try transaction.expect([.clock, .auditHead])
        let mark = try transaction.clockMark
        guard time.advanced(by: SessionLimits.clockTolerance) < mark.seen else {
            return try transaction.raiseClock(from: mark, to: time)
        }
        _ = try transaction.deleteSessions(
            createdBy: mark.seen.advanced(by: .zero - sessions.absolute),
            lastUsedBy: mark.seen.advanced(by: .zero - sessions.idle))
        try transaction.setClockMark(ClockMark(seen: time, highest: mark.highest))
        try write(.clockWentBack, about: nil, reason: .none, at: time, in: transaction)
    }

    /// Appends one record to the chain. If this fails, the transaction is rolled back with its change.
    ///
    /// Above a limit, failures are counted but not recorded.
    ///
    /// - Parameter weight: the number of failures that the record represents.
    package func append(
        _ event: AuditEvent, about account: AccountID?, reason: AuditReason = .none, weight: Int = 1,
        at time: Timestamp, in transaction: any Rows
    ) throws(AccountError) {
        try watchClock(time, in: transaction)
        if event.canFlood {
            let step = AuditFlood.adding(
                weight, to: try transaction.auditFlood, limit: AuditFlood.limitPerStore, at: time)
            try transaction.setAuditFlood(step.flood)
            if step.counted > 0 {
                try write(.auditGap, about: nil, reason: .repeated(step.counted), at: time, in: transaction)
            }
            guard step.isRecorded else { return }
        }
        try write(event, about: account, reason: reason, at: time, in: transaction)
    }

    /// An event and its reason.
    package typealias Entry = (event: AuditEvent, reason: AuditReason)

    /// Appends records of one change to the chain, like ``append(_:about:reason:weight:at:in:)``, and reads the end of
    /// the chain only once. The events must not be failures that strangers can cause.
    package func append(
        _ entries: [Entry], about account: AccountID?, at time: Timestamp, in transaction: any Rows
    ) throws(AccountError) {
        try watchClock(time, in: transaction)
        try write(entries, about: account, at: time, in: transaction)
    }

    /// After each minute, records the number of failures that were only counted.
    func recordGap(at time: Timestamp, in transaction: any Rows) throws(AccountError) {
        guard let flood = try transaction.auditFlood, flood.counted > 0, flood.isOver(at: time) else { return }
        try transaction.setAuditFlood(AuditFlood(since: time, recorded: 0, counted: 0))
        try write(.auditGap, about: nil, reason: .repeated(flood.counted), at: time, in: transaction)
    }

    private func write(
        _ event: AuditEvent, about account: AccountID?, reason: AuditReason, at time: Timestamp,
        in transaction: any AuditRows
    ) throws(AccountError) {
        try write([(event, reason)], about: account, at: time, in: transaction)
    }

    private func write(
        _ entries: [Entry], about account: AccountID?, at time: Timestamp, in transaction: any AuditRows
    ) throws(AccountError) {
        var chain = try AuditChain(in: transaction)
        for (event, reason) in entries {
            if (chain.sequence + 1).isMultiple(of: AuditRotation.interval) {
                try rotate(&chain, at: time, in: transaction)
                try dropSegments(atMost: 1, at: time, in: transaction)
            }
            try add(event, about: account, reason: reason, at: time, to: &chain, in: transaction)
        }
    }

    func add(
        _ event: AuditEvent, about account: AccountID?, reason: AuditReason, at time: Timestamp,
        to chain: inout AuditChain, in transaction: any AuditRows
    ) throws(AccountError) {
        let record = AuditRecord(
            sequence: chain.sequence + 1, time: time, name: event.rawValue, account: account, actor: actor,
            requestID: requestID, reason: reason.text, context: origin.context(actingAs: self.account))
        try transaction.append(record, hash: chain.add(record))
    }
}
