/// The numbers that a store reports to monitoring.
public struct StoreMetrics: Equatable, Sendable {
    /// The number of accounts, sessions and messages.
    public let counts: StoreCounts
    /// The age of the oldest queued message, in milliseconds; 0 if there is none.
    public let oldestMessageAge: Int64
    /// The number of audit records ever written.
    public let auditRecords: Int64
    /// The time of the newest audit record; nil if there is none.
    public let newestAuditRecord: Timestamp?
    /// The number of stored records of each event, including events with zero records. The key nil counts events from
    /// newer versions.
    public let keptAuditRecords: [AuditEvent?: Int]
    /// The records that wait for their place in the trail; nil for a store on this machine.
    public let pendingAuditRecords: PendingCounts?
}

extension AccountService {
    /// Counts the store's rows. Reads the audit trail in pages, so that other processes can write in the meantime.
    public func metrics() async throws(AccountError) -> StoreMetrics {
        let (counts, age, sequence, newest, pending) = try await store.read {
            [clock, settings] (transaction) throws(AccountError) in
            let now = clock.now()
            let window = settings.sessions.window(at: now, seen: try transaction.clockMark.seen)
            let head = try transaction.auditHead
            let newest = try head.flatMap { (head) throws(AccountError) in
                try transaction.auditRows(after: head.sequence - 1, limit: 1).first?.record?.time
            }
            let counts = try transaction.counts(ofSessions: window, at: now)
            let age = counts.oldestMessage.map { max(0, now.since($0) / .milliseconds(1)) } ?? 0
            return (counts, Int64(age), head?.sequence ?? 0, newest, try transaction.pendingCounts)
        }
        var kept: [AuditEvent?: Int] = [nil: 0]
        for event in AuditEvent.allCases { kept[event] = 0 }
        var last: Int64 = 0
        while last < sequence {
            let piece = try await store.read { [last] (transaction) throws(AccountError) in
                try transaction.auditCounts(after: last, limit: Self.countedAtOnce)
            }
            guard let end = piece.last else { break }
            for (name, count) in piece.byName { kept[AuditEvent(rawValue: name), default: 0] += count }
            last = end
        }
        return StoreMetrics(
            counts: counts, oldestMessageAge: age, auditRecords: sequence, newestAuditRecord: newest,
            keptAuditRecords: kept, pendingAuditRecords: pending)
    }

    /// The transactions that this process has repeated; nil for a store on this machine.
    public var storeActivity: StoreActivity? { database.activity }

    /// The number of accounts, sessions and messages.
    public func storeCounts() async throws(AccountError) -> StoreCounts {
        try await store.read { [clock, settings] (transaction) throws(AccountError) in
            let now = clock.now()
            let window = settings.sessions.window(at: now, seen: try transaction.clockMark.seen)
            return try transaction.counts(ofSessions: window, at: now)
        }
    }

    /// Checks whether the store is writable, without changing it.
    package func checkWritable() async throws(AccountError) {
        try await store.write { (transaction) throws(AccountError) in _ = try transaction.clockMark }
    }

    /// The number of records per page. Reading a page blocks commits for some milliseconds.
    private static let countedAtOnce = 8192
}
