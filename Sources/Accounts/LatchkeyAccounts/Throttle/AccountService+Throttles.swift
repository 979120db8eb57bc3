extension AccountService {
    /// The number of failed logins and the remaining time until the account's next attempt.
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

    /// The throttles of an account's username, address and ID.
    func identifierThrottles(of account: Account) -> [Throttle] {
        [account.username?.prepared, account.email.folded, account.id.text].compactMap(\.self).map {
            key.throttle(ofIdentifier: $0)
        }
    }

    /// Clears the throttle of an account and those of its identifiers.
    func clearThrottles(
        of account: Account, recording trail: AuditTrail, at now: Timestamp,
        in transaction: any ThrottleRows & AuditTrail.Rows
    ) throws(AccountError) {
        try Throttle.clear(
            [.account(account.id)] + identifierThrottles(of: account), recording: trail, about: account.id, at: now,
            in: transaction)
    }

    /// Unlocks an account: the next password is verified immediately, and so is the next one-time code unless the owner's
    /// network must wait.
    ///
    /// The owner still sees the failures at the next login. A required recovery stays required.
    ///
    /// - Throws: ``AccountError/noSuchAccount``.
    public func unlock(_ lookup: AccountLookup, by actor: AuditActor) async throws(AccountError) {
        try await administer(lookup, by: actor) { [self] (account, now, trail, transaction) throws(AccountError) in
            for throttle in [Throttle.account(account.id), .codes(account.id)] {
                guard let failures = try transaction.failures(in: throttle) else { continue }
                let opened = ThrottleFailures(
                    count: 0, lastAt: failures.lastAt, total: failures.total, refusals: failures.refusals)
                try transaction.setFailures(opened, in: throttle)
            }
            for throttle in identifierThrottles(of: account) {
                try throttle.clear(recording: trail, about: account.id, at: now, in: transaction)
            }
            try trail.append(.administered, about: account.id, reason: .unlocked, at: now, in: transaction)
        }
    }

    /// The throttle row of the request's source; nil if the caller did not specify the source.
    var sourceRow: UInt16? { RequestSource(origin.source).map { key.row(of: $0) } }

    /// The remaining time during which requests from the source are refused.
    func sourceDelay(at now: Timestamp, in transaction: any ThrottleRows) throws(AccountError) -> Duration {
        guard let row = sourceRow else { return .zero }
        return SourceThrottleSchedule.remainingDelay(of: try transaction.failures(ofSource: row), at: now)
    }

    /// Books a wrong secret of an application, or an application that does not exist, as a failure of its source.
    ///
    /// The right secret never waits, because it cannot be guessed.
    ///
    /// - Returns: the remaining time during which requests from the source are refused; zero if the failure is booked.
    public func bookWrongSecret(ofClient id: String) async throws(AccountError) -> Duration {
        try await store.write { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            let delay = try sourceDelay(at: now, in: transaction)
            if delay == .zero { _ = try bookSource(trying: id, at: now, in: transaction) }
            return delay
        }
    }

    /// Books an attempt as a failure of its source.
    ///
    /// - Parameter name: the name as typed. If all names of an account counted as one name, the delay would reveal that
    ///   they belong together.
    /// - Returns: nil if the caller did not specify the source.
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

/// The state of an account's throttle.
public struct ThrottleStatus: Equatable, Sendable {
    /// The number of failures since the last success.
    public let failures: Int
    /// The time of the latest failure; nil if there were none.
    public let lastAt: Timestamp?
    /// The remaining time until the account's next attempt; zero if it is not blocked.
    public let retryAfter: Duration
    /// Whether the owner must recover the account because of too many failures.
    public let demandsRecovery: Bool

    init(of failures: ThrottleFailures?, at now: Timestamp, demandsRecovery: Bool) {
        self.demandsRecovery = demandsRecovery
        self.failures = failures?.total ?? 0
        lastAt = failures?.lastAt
        retryAfter = ThrottleSchedule.remainingDelay(of: failures, at: now)
    }
}
