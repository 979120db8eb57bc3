import LatchkeyForms
public import LatchkeySecrets

extension AccountService {
    /// The number of records to read per transaction, which blocks commits until it ends.
    private static let pageSize = 512

    /// The next page of the audit trail, limited to the rows that `filter` selects.
    ///
    /// - Parameters:
    ///   - sequence: the number at the end of the previous page; 0 for the first page.
    ///   - filter: the condition that they meet.
    public func auditPage(
        after sequence: Int64, matching filter: AuditFilter = AuditFilter()
    ) async throws(AccountError) -> AuditPage {
        func page() async throws(AccountError) -> [AuditRow] {
            try await store.read { (transaction) throws(AccountError) in
                try transaction.auditRows(after: sequence, limit: Self.pageSize)
            }
        }
        var rows = try await page()
        if rows.count < Self.pageSize, try await sealAudit() { rows = try await page() }
        return AuditPage(rows: rows.filter(filter.admits), last: rows.last?.sequence)
    }

    /// Reads the trail after all waiting records have their place in it.
    private func readTrail<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        try await sealAudit()
        return try await store.read(body)
    }

    /// The next page of the records about a session's owner. The account in `filter` is ignored.
    ///
    /// - Throws: ``AccountError/noSession``; ``AccountError/mustChangePassword`` for a session that may only change the
    ///   password.
    public func auditPage(
        ofOwner token: Secret, after sequence: Int64, matching filter: AuditFilter = AuditFilter()
    ) async throws(AccountError) -> AuditPage {
        let live = try await session(for: token)
        guard live.session.scope == .full else { throw .mustChangePassword }
        var own = filter
        own.account = live.account.id
        return try await auditPage(after: sequence, matching: own)
    }

    /// The number of records that a page of the newest records looks at.
    public static let auditScan: Int64 = 20_000

    /// Whether the password of an account was last changed or set with the account, and when. Nil if none of the newest
    /// records has it.
    ///
    /// - Parameters:
    ///   - account: the account.
    ///   - scan: the number of records to look at.
    package func passwordEvent(
        of account: AccountID, in scan: Int64 = Self.auditScan
    ) async throws(AccountError) -> (isChange: Bool, time: Timestamp)? {
        let events: [AuditEvent] = [.passwordChanged, .recoveryUsed, .userCreated]
        let filter = AuditFilter(account: account, events: Set(events.map(\.rawValue)))
        let row = try await readTrail { (transaction) throws(AccountError) in
            let newest = try transaction.auditHead?.sequence ?? 0
            return try transaction.auditRows(
                from: max(1, newest + 1 - scan), before: newest + 1, matching: filter, limit: 1
            ).first
        }
        return row?.record.map { ($0.event != .userCreated, $0.time) }
    }

    /// The number of records that a page of an owner looks at.
    package static let ownerScan: Int64 = 2000

    /// The newest records that `filter` selects.
    ///
    /// - Parameters:
    ///   - sequence: the number before which the page ends; nil for the newest records.
    ///   - filter: the condition that they meet.
    ///   - limit: the maximum number of records.
    public func recentAudit(
        before sequence: Int64? = nil, matching filter: AuditFilter = AuditFilter(), limit: Int
    ) async throws(AccountError) -> RecentAudit {
        try await readTrail { (transaction) throws(AccountError) in
            let newest = try transaction.auditHead?.sequence ?? 0
            let end = min(sequence ?? .max, newest + 1)
            let start = max(1, end - Self.auditScan)
            let rows = try transaction.auditRows(from: start, before: end, matching: filter, limit: limit + 1)
            guard rows.count <= limit else {
                return RecentAudit(rows: Array(rows.prefix(limit)), next: rows[limit - 1].sequence, stoppedEarly: false)
            }
            let first = try transaction.auditRows(after: 0, limit: 1).first?.sequence ?? start
            let isAtStart = start <= max(first, 1)
            return RecentAudit(rows: rows, next: isAtStart ? nil : start, stoppedEarly: !isAtStart)
        }
    }

    /// The number of each event since a time, by its stored name. Looks at the newest records only: see
    /// ``countedRecords``.
    public func auditCounts(since time: Timestamp) async throws(AccountError) -> (byName: [String: Int], isAll: Bool) {
        try await readTrail { (transaction) throws(AccountError) in
            let head = try transaction.auditHead?.sequence ?? 0
            let start = max(0, head - Self.countedRecords)
            let counts = try transaction.auditCounts(after: start, since: time)
            let oldest = try transaction.auditRows(after: start, limit: 1).first?.record?.time
            return (counts, start == 0 || oldest.map { $0 < time } ?? true)
        }
    }

    /// The same for each time between two of these times, and after the last of them.
    ///
    /// - Parameter times: in ascending order.
    package func auditCounts(
        between times: [Timestamp]
    ) async throws(AccountError) -> (byName: [[String: Int]], isAll: Bool) {
        try await readTrail { (transaction) throws(AccountError) in
            let head = try transaction.auditHead?.sequence ?? 0
            let start = max(0, head - Self.countedRecords)
            let since = try times.map { (time) throws(AccountError) in
                try transaction.auditCounts(after: start, since: time)
            }
            let oldest = try transaction.auditRows(after: start, limit: 1).first?.record?.time
            let counts = since.enumerated().map { place, counts in
                let later = place + 1 < since.count ? since[place + 1] : [:]
                return counts.merging(later) { $0 - $1 }
            }
            guard start > 0, let oldest, let first = times.first else { return (counts, true) }
            return (counts, oldest < first)
        }
    }

    /// The number of records that ``auditCounts(since:)`` looks at.
    public static let countedRecords: Int64 = 100_000

    /// The newest record with its hash; nil if there is none.
    public func auditEnd() async throws(AccountError) -> AuditRow? {
        try await readTrail { (transaction) throws(AccountError) in
            guard let head = try transaction.auditHead else { return nil }
            return try transaction.auditRows(after: head.sequence - 1, limit: 1).first
        }
    }

    /// Verifies the hash chain of the audit trail, and its end by the seal of the store's key.
    ///
    /// - Parameters:
    ///   - first: the first record to verify; earlier records are trusted. The default is the first record in the
    ///     store.
    ///   - anchors: heads that were stored elsewhere. Without them, the verification cannot detect that an earlier state
    ///     of the store was put back, or that the owner of the key has rewritten the trail.
    public func verifyAudit(
        from first: Int64? = nil, anchors: [AuditAnchor] = []
    ) async throws(AccountError) -> AuditVerification {
        while true {
            var verifier = try await readTrail { (transaction) throws(AccountError) in
                try AuditVerifier(from: first, anchors: anchors, in: transaction)
            }
            if try await verifyToEnd(&verifier) { return verifier.result }
        }
    }

    /// Verifies up to the end; false if another process dropped a segment before it was read.
    private func verifyToEnd(_ verifier: inout AuditVerifier) async throws(AccountError) -> Bool {
        while verifier.finding == nil {
            let sequence = verifier.chain.sequence
            let (rows, start, end) = try await store.read {
                [verifier, key] (transaction) throws(AccountError) in
                let rows = try transaction.auditRows(after: sequence, limit: Self.pageSize)
                var end = verifier
                if rows.isEmpty { try end.checkEnd(sealedWith: key, in: transaction) }
                return (rows, try transaction.auditRows(after: 0, limit: 1).first, end)
            }
            if rows.isEmpty {
                verifier = end
                return true
            }
            if let start, start.sequence > sequence + 1, start.rotation != nil { return false }
            verifier.take(rows)
        }
        return true
    }

    /// Runs `body` and records the error if it refuses.
    ///
    /// Forms validate values first. A refusal here means that a caller has bypassed the form or is probing for taken
    /// names.
    func recordingRefusals<Value>(
        about account: AccountID?, _ trail: AuditTrail, _ body: () async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        do {
            return try await body()
        } catch {
            let reason: AuditReason
            switch error {
            case .refused(let failures): reason = .refused(by: failures.first?.code)
            case .taken: reason = .refused(by: .taken)
            default: throw error
            }
            // A failure to record changes nothing, because the caller receives the refusal in any case.
            try? await store.write { [clock] (transaction) throws(AccountError) in
                try trail.append(.inputRefused, about: account, reason: reason, at: clock.now(), in: transaction)
            }
            throw error
        }
    }
}
