/// The result of ``AccountService/maintain(by:)``.
public struct MaintenanceReport: Equatable, Sendable {
    /// The number of deleted expired sessions.
    public internal(set) var sessionsEnded = 0
    /// The number of audit records dropped from the start of the trail.
    public internal(set) var recordsDropped = 0
    /// The number of messages still in the outbox after delivery; at most 1000 are counted.
    public internal(set) var messagesWaiting = 0
    /// The messages among them that could not be delivered; nil if there are none.
    public internal(set) var undelivered: UndeliveredMessages?
}

extension AccountService {
    /// Delivers messages, deletes expired sessions, sign-ups, released usernames, pending logins, challenges, devices,
    /// accounts and tokens of applications, and keeps the audit trail within its limits.
    ///
    /// It uses many short transactions. If it is interrupted, the next run continues.
    public func maintain(by actor: AuditActor) async throws(AccountError) -> MaintenanceReport {
        let trail = try newTrail(by: actor)
        var report = MaintenanceReport()
        await deliverDueMessages()
        while true {
            let (found, ended) = try await endOldSessions(trail)
            report.sessionsEnded += ended
            if found < Self.batchSize || ended == 0 { break }
        }
        while try await recordCounts(trail) == Self.batchSize {}
        while try await removeUnverifiedAccounts(by: actor) == Self.batchSize {}
        report.recordsDropped = try await dropOldRecords(trail)
        (report.messagesWaiting, report.undelivered) = try await store.write {
            [self] (transaction) throws(AccountError) in
            let now = clock.now()
            try transaction.deleteRecoveryRequests(expiredBefore: now.advanced(by: .seconds(-3600)))
            try transaction.deleteSignUps(expiredBy: now)
            try transaction.deleteReservedNames(expiredBy: now)
            try transaction.deletePendingLogins(expiredBy: now)
            try transaction.deleteWaitingAuthorizations(
                createdBy: now.advanced(by: .zero - WaitingAuthorization.lifetime))
            try transaction.deleteDeviceRequests(createdBy: now.advanced(by: .zero - DeviceRequest.lifetime))
            // A used code stays until its access tokens have expired, so that a second use is noticed. The grant of an
            // approved device has no token until the device asks.
            let kept = max(settings.openID.accessLifetime, DeviceRequest.lifetime)
            try transaction.deleteGrants(
                expiredBy: now.advanced(by: .zero - kept),
                usedBy: now.advanced(by: .zero - OpenIDSettings.usedTokenLifetime))
            try transaction.deleteSigningKeys(
                retiredBy: now.advanced(by: .zero - SigningKeyRecord.hintLifetime))
            try transaction.raiseClock(to: now)
            try transaction.deletePasskeyChallenges(expiredBy: now)
            try transaction.deleteDevices(lastUsedBy: now.advanced(by: .zero - KnownDevice.lifetime))
            let waiting = try transaction.waitingMessages(limit: 1000)
            return (waiting.count { $0.recipient != nil }, UndeliveredMessages(waiting))
        }
        return report
    }

    private static let batchSize = 100

    private func endOldSessions(_ trail: AuditTrail) async throws(AccountError) -> (found: Int, ended: Int) {
        try await store.write { [clock, settings] (transaction) throws(AccountError) in
            let now = clock.now()
            let old = try transaction.sessions(
                createdBy: now.advanced(by: .zero - settings.sessions.absolute),
                orUsedBy: now.advanced(by: .zero - settings.sessions.idle), limit: Self.batchSize)
            let seen = try transaction.clockMark.seen
            let expired = old.filter { settings.sessions.verdict(on: $0, at: now, seen: seen) == .expired }
            for session in expired {
                try transaction.deleteSession(session.digest)
                try trail.append(.sessionExpired, about: session.account, reason: .expired, at: now, in: transaction)
            }
            return (old.count, expired.count)
        }
    }

    /// Records the refusals that throttles only counted, for each minute that is over.
    private func recordCounts(_ trail: AuditTrail) async throws(AccountError) -> Int {
        try await store.write { [clock] (transaction) throws(AccountError) in
            let now = clock.now()
            let throttles = try transaction.throttlesWithUnrecordedRefusals(
                since: now.advanced(by: .seconds(-60)), limit: Self.batchSize)
            for (throttle, failures) in throttles {
                try throttle.settle(failures, recording: trail, at: now, in: transaction)
            }
            return throttles.count
        }
    }

    private func dropOldRecords(_ trail: AuditTrail) async throws(AccountError) -> Int {
        try await sealAudit()
        try await store.seal { [clock, sealer] (transaction) throws(AccountError) in
            let record = trail.record(.auditRotated, about: nil, at: clock.now())
            try sealer.tidy(with: record, in: transaction)
        }
        var dropped = 0
        while true {
            let count = try await store.seal { [clock, sealer] (transaction) throws(AccountError) in
                try sealer.dropSegments(atMost: 4, at: clock.now(), in: transaction)
            }
            if count == 0 { return dropped }
            dropped += count
        }
    }

    /// Deletes accounts whose address was not verified in time, so that the owner of the address can sign up.
    ///
    /// - Returns: the number of deleted accounts.
    public func removeUnverifiedAccounts(by actor: AuditActor) async throws(AccountError) -> Int {
        let trail = try newTrail(by: actor)
        return try await store.write { [self] (transaction) throws(AccountError) in
            try removeUnverified(at: clock.now(), trail, in: transaction)
        }
    }

    @discardableResult
    package func removeUnverified(
        at now: Timestamp, _ trail: AuditTrail, in transaction: any AccountRows & AuditTrail.Rows
    ) throws(AccountError) -> Int {
        let expired = try transaction.unverifiedAccounts(expiredBy: now, limit: Self.batchSize)
        for id in expired {
            _ = try transaction.deleteAccount(id)
            try trail.append(.userDeleted, about: id, reason: .unverified, at: now, in: transaction)
        }
        return expired.count
    }
}
