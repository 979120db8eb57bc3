/// What only operators do to an account: whoever owns the store.
extension AccountService {
    /// How often somebody has failed to log in, and for how long nobody may try.
    ///
    /// - Throws: ``AccountError/noSuchAccount``.
    public func throttle(of lookup: AccountLookup) async throws(AccountError) -> ThrottleStatus {
        try await store.read { [clock, settings] (transaction) throws(AccountError) in
            guard let account = try transaction.account(lookup) else { throw .noSuchAccount }
            let failures = try transaction.failures(in: .account(account.id))
            return ThrottleStatus(
                of: failures, at: clock.now(), demandsRecovery: settings.preset.demandsRecovery(after: failures))
        }
    }

    /// Opens an account's throttle: the next attempt is judged at once. What its owner is told at the next login stays, and so
    /// does the need for a recovery, where there have been so many failures.
    ///
    /// - Throws: ``AccountError/noSuchAccount``.
    public func unlock(_ lookup: AccountLookup, by actor: AuditActor) async throws(AccountError) {
        try await administer(lookup, by: actor) { (account, now, trail, transaction) throws(AccountError) in
            let throttle = Throttle.account(account.id)
            if let failures = try transaction.failures(in: throttle) {
                let opened = ThrottleFailures(
                    count: 0, lastAt: failures.lastAt, total: failures.total, refusals: failures.refusals)
                try transaction.setFailures(opened, in: throttle)
            }
            try trail.append(.administered, about: account.id, reason: .unlocked, at: now, in: transaction)
        }
    }

    /// The row of the source that this service's requests come from; nil where the caller names none.
    var sourceRow: UInt16? { RequestSource(origin.source).map { key.row(of: $0) } }

    /// How long nothing from the source is judged.
    func sourceDelay(at now: Timestamp, in transaction: any ThrottleRows) throws(AccountError) -> Duration {
        guard let row = sourceRow else { return .zero }
        return SourceThrottleSchedule.remainingDelay(of: try transaction.failures(ofSource: row), at: now)
    }

    /// Books an attempt as a failure of the source.
    ///
    /// - Parameter name: whose account it is for, or what was typed: an account under its name and its address is one.
    /// - Returns: nil where the caller names no source.
    func bookSource(
        trying name: String, at now: Timestamp, in transaction: any ThrottleRows
    ) throws(AccountError) -> SourceBooking? {
        guard let row = sourceRow else { return nil }
        let tag = UInt32(key.auditTag(of: name).prefix(8), radix: 16) ?? 0
        let step = SourceThrottleSchedule.booking(try transaction.failures(ofSource: row), name: tag, at: now)
        try transaction.setFailures(step.failures, ofSource: row)
        return SourceBooking(row: row, weight: step.weight)
    }
}

/// How the throttle of an account stands.
public struct ThrottleStatus: Equatable, Sendable {
    /// Since the last success.
    public let failures: Int
    /// Nil where there were none.
    public let lastAt: Timestamp?
    /// Zero where the next attempt is judged.
    public let retryAfter: Duration
    /// Whether there were so many failures that no password opens the account until it is recovered.
    public let demandsRecovery: Bool

    init(of failures: ThrottleFailures?, at now: Timestamp, demandsRecovery: Bool) {
        self.demandsRecovery = demandsRecovery
        self.failures = failures?.total ?? 0
        lastAt = failures?.lastAt
        retryAfter = ThrottleSchedule.remainingDelay(of: failures, at: now)
    }
}
