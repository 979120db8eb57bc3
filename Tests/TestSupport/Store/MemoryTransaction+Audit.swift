import LatchkeyAccounts

extension MemoryTransaction {
    // MARK: Outbox

    func enqueue(_ message: OutboxMessage) throws(AccountError) {
        try beginWriting(.enqueue)
        guard !rows.outbox.contains(where: { $0.id == message.id }) else { throw failConstraint() }
        rows.outbox.append(message)
    }

    func waitingMessages(limit: Int) throws(AccountError) -> [OutboxMessage] {
        try begin(.waitingMessages)
        return Array(rows.outbox.prefix(max(limit, 0)))
    }

    func waitingMessage(_ id: String) throws(AccountError) -> OutboxMessage? {
        try begin(.waitingMessages)
        return rows.outbox.first { $0.id == id }
    }

    func dueMessages(
        _ kind: OutboxMessage.Kind, at time: Timestamp, limit: Int
    ) throws(AccountError) -> [OutboxMessage] {
        try begin(.dueMessages)
        let due = rows.outbox.filter { message in
            guard message.kind == kind else { return false }
            let next = rows.nextAttempts[message.id] ?? Timestamp(milliseconds: 0)
            let isOver = message.expiresAt.map { $0 <= time } ?? false
            return next <= time || next.since(time) > .seconds(21600) || isOver
        }
        return Array(due.prefix(max(limit, 0)))
    }

    func postponeMessage(_ id: String, until time: Timestamp) throws(AccountError) {
        try beginWriting(.postponeMessage)
        guard let index = rows.outbox.firstIndex(where: { $0.id == id }) else { return }
        rows.outbox[index].attempts += 1
        rows.nextAttempts[id] = time
    }

    func postponeNotices(to client: String, until time: Timestamp) throws(AccountError) {
        try beginWriting(.postponeMessage)
        for message in rows.outbox where message.notice?.client == client {
            rows.nextAttempts[message.id] = max(rows.nextAttempts[message.id] ?? time, time)
        }
    }

    func setFailure(_ reason: String, of message: String, isLast: Bool) throws(AccountError) {
        try beginWriting(.setFailure)
        guard let index = rows.outbox.firstIndex(where: { $0.id == message }) else { return }
        rows.outbox[index].failure = reason
        if isLast { rows.outbox[index].expiresAt = rows.nextAttempts[message] ?? Timestamp(milliseconds: 0) }
    }

    func deleteMessage(_ id: String) throws(AccountError) {
        try beginWriting(.deleteMessage)
        rows.outbox.removeAll { $0.id == id }
        rows.nextAttempts[id] = nil
    }

    // MARK: Counting

    func counts(ofSessions window: SessionWindow, at time: Timestamp) throws(AccountError) -> StoreCounts {
        try begin(.counts)
        let accounts = rows.accounts.values
        let waiting = rows.outbox.filter { message in
            message.recipient != nil && message.expiresAt.map { $0 > time } ?? true
        }
        return StoreCounts(
            activeAccounts: accounts.count { $0.verifyBy == nil && $0.state == .active },
            disabledAccounts: accounts.count { $0.verifyBy == nil && $0.state == .disabled },
            unverifiedAccounts: accounts.count { $0.verifyBy != nil },
            accountsToChangePassword: accounts.count(where: \.mustChangePassword),
            liveSessions: rows.sessions.values.count { session in
                session.createdAt > window.createdAfter && session.lastUsedAt > window.usedAfter
                    && max(session.createdAt, session.lastUsedAt) <= window.latest
            },
            waitingMessages: waiting.count, oldestMessage: waiting.map(\.createdAt).min())
    }

    func auditCounts(after sequence: Int64, limit: Int) throws(AccountError) -> AuditCounts {
        try begin(.auditCounts)
        let piece = rows.audit.filter { $0.sequence > sequence }.prefix(max(limit, 0))
        let byName = piece.reduce(into: [:]) { $0[$1.record?.name ?? "", default: 0] += 1 }
        return AuditCounts(byName: byName, last: piece.last?.sequence)
    }

    func auditCounts(after sequence: Int64, since time: Timestamp) throws(AccountError) -> [String: Int] {
        try begin(.auditCounts)
        let records = rows.audit.filter { $0.sequence > sequence }.compactMap(\.record)
        return records.reduce(into: [:]) { if $1.time >= time { $0[$1.name, default: 0] += 1 } }
    }

    // MARK: Clock

    var serverTime: Timestamp? {
        get throws(AccountError) {
            try begin(.serverTime)
            return rows.serverTime
        }
    }

    var clockMark: ClockMark {
        get throws(AccountError) {
            try begin(.clockMark)
            return rows.clockMark
        }
    }

    func setClockMark(_ mark: ClockMark) throws(AccountError) {
        try beginWriting(.setClockMark)
        rows.clockMark = mark
    }

    // MARK: Restoring

    func revokeEverything(throttles: Bool) throws(AccountError) {
        try beginWriting(.revokeEverything)
        rows.sessions = [:]
        rows.devices = [:]
        rows.pendingLogins = [:]
        rows.appPasswords = [:]
        rows.passkeyChallenges = [:]
        rows.tokens = []
        rows.authorizations = [:]
        rows.deviceRequests = [:]
        removeGrants { _ in true }
        rows.recovery = [:]
        rows.outbox.removeAll { $0.expiresAt != nil }
        guard throttles else { return }
        rows.failures = [:]
        rows.sources = [:]
    }

    // MARK: Audit

    var auditHead: AuditHead? {
        get throws(AccountError) {
            try begin(.auditHead)
            return rows.audit.last.map { AuditHead(sequence: $0.sequence, hash: $0.hash) }
        }
    }

    func append(_ record: AuditRecord, hash: [UInt8]) throws(AccountError) {
        try beginWriting(.appendAudit)
        guard record.sequence == (rows.audit.last?.sequence ?? 0) + 1 else { throw failConstraint() }
        rows.audit.append(AuditRow(record, hash: hash))
    }

    func collect(_ record: PendingRecord) { collectedRecords.append(record) }

    func takeRecords() -> [PendingRecord] {
        defer { collectedRecords = [] }
        return collectedRecords
    }

    var seal: [UInt8]? { rows.seal }

    func setSeal(_ seal: [UInt8]) { rows.seal = seal }

    func auditRows(after sequence: Int64, limit: Int) throws(AccountError) -> [AuditRow] {
        try begin(.auditRows)
        // The numbers must have no gaps.
        let place = max(sequence, 0) + 1 - (rows.audit.first?.sequence ?? 1)
        return Array(rows.audit.dropFirst(max(Int(place), 0)).prefix(max(limit, 0)))
    }

    func auditRows(
        from first: Int64, before end: Int64, matching filter: AuditFilter, limit: Int
    ) throws(AccountError) -> [AuditRow] {
        try begin(.auditRows)
        let found = rows.audit.filter { first <= $0.sequence && $0.sequence < end && filter.admits($0) }
        return Array(found.reversed().prefix(max(limit, 0)))
    }

    func auditRotations() throws(AccountError) -> [AuditRow] {
        try begin(.auditRotations)
        return rows.audit.filter { $0.record?.event == .auditRotated }
    }

    func auditSize(from sequence: Int64) throws(AccountError) -> Int64 {
        try begin(.auditSize)
        return Int64(rows.audit.count { $0.sequence >= sequence }) * 256
    }

    func dropAuditRecords(before sequence: Int64) throws(AccountError) -> Int {
        try beginWriting(.dropAudit)
        guard rows.audit.contains(where: { $0.sequence == sequence && $0.record?.event == .auditRotated }) else {
            return 0
        }
        let before = rows.audit.count
        rows.audit.removeAll { $0.sequence < sequence }
        return before - rows.audit.count
    }

    var auditFlood: AuditFlood? {
        get throws(AccountError) {
            try begin(.auditFlood)
            return rows.flood
        }
    }

    func setAuditFlood(_ flood: AuditFlood) throws(AccountError) {
        try beginWriting(.setAuditFlood)
        rows.flood = flood
    }
}
