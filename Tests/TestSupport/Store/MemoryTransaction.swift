import LatchkeyAccounts
import LatchkeyForms

/// One transaction of a `MemoryAccountStore`, over a copy of its rows.
final class MemoryTransaction: StoreTransaction {
    private(set) var rows: MemoryRows
    private(set) var operations: [StoreOperation] = []
    /// The first failure of the store itself. A body that goes on after it commits nothing.
    private(set) var failure: StoreError?
    private let mayWrite: Bool
    private let fault: MemoryAccountStore.Fault?

    init(rows: MemoryRows, mayWrite: Bool, fault: MemoryAccountStore.Fault?) {
        self.rows = rows
        self.mayWrite = mayWrite
        self.fault = fault
    }

    func begin(_ operation: StoreOperation) throws(AccountError) {
        // A part of writing any record, and of looking at any session.
        if operation != .clockMark && operation != .setClockMark { operations.append(operation) }
        if let error = failure ?? fault?(operation) { throw fail(error) }
    }

    private func beginWriting(_ operation: StoreOperation) throws(AccountError) {
        try begin(operation)
        guard mayWrite else { throw fail(.readOnly) }
    }

    private func fail(_ error: StoreError) -> AccountError {
        failure = failure ?? error
        return .store(error)
    }

    /// As SQLite's result code for a constraint that is none of ours to name (SQLITE_CONSTRAINT).
    private func failConstraint() -> AccountError { fail(.failed(resultCode: 19)) }

    var storeID: [UInt8] {
        get throws(AccountError) {
            try begin(.storeID)
            return rows.storeID
        }
    }

    // MARK: Accounts

    var hasAccounts: Bool {
        get throws(AccountError) {
            try begin(.hasAccounts)
            return !rows.accounts.isEmpty
        }
    }

    func account(_ lookup: AccountLookup) throws(AccountError) -> Account? {
        try begin(.account)
        return switch lookup {
        case .id(let id): rows.accounts[id]
        case .username(let name): rows.accounts.values.first { $0.username == name }
        case .email(let address): rows.accounts.values.first { $0.email == address }
        }
    }

    func insert(_ account: Account) throws(AccountError) {
        try beginWriting(.insertAccount)
        try checkUnique(account)
        guard rows.accounts[account.id] == nil else { throw .taken(field: .accountID) }
        rows.accounts[account.id] = account
    }

    func update(_ account: Account) throws(AccountError) {
        try beginWriting(.updateAccount)
        guard let old = rows.accounts[account.id] else { throw .noSuchAccount }
        try checkUnique(account)
        var new = Account(
            id: old.id, username: account.username, email: account.email, attributes: account.attributes,
            state: account.state, createdAt: old.createdAt, mustChangePassword: account.mustChangePassword,
            verifyBy: account.verifyBy, passwordHash: account.passwordHash)
        new.passwordExpiresAt = account.passwordExpiresAt
        new.updatedAt = account.updatedAt
        new.passwordGeneration = account.passwordGeneration
        rows.accounts[account.id] = new
    }

    private func checkUnique(_ account: Account) throws(AccountError) {
        for other in rows.accounts.values where other.id != account.id {
            if other.username == account.username { throw .taken(field: .username) }
            if other.email == account.email { throw .taken(field: .email) }
        }
    }

    func deleteAccount(_ id: AccountID) throws(AccountError) -> Bool {
        try beginWriting(.deleteAccount)
        rows.sessions = rows.sessions.filter { $0.value.account != id }
        rows.recovery = rows.recovery.filter { $0.value.request.throttle != .account(id) }
        rows.failures[.account(id)] = nil
        return rows.accounts.removeValue(forKey: id) != nil
    }

    func unverifiedAccounts(expiredBy time: Timestamp, limit: Int) throws(AccountError) -> [AccountID] {
        try begin(.unverifiedAccounts)
        let expired = rows.accounts.values.filter { account in account.verifyBy.map { $0 <= time } ?? false }
        return expired.map(\.id).sorted { $0.text < $1.text }.prefix(max(limit, 0)).map { $0 }
    }

    func accounts(
        matching filter: AccountFilter, after name: Username?, limit: Int
    ) throws(AccountError) -> AccountPage {
        try begin(.accounts)
        func precedes(_ left: Username, _ right: Username) -> Bool {
            left.prepared.utf8.lexicographicallyPrecedes(right.prepared.utf8)
        }
        let rest = rows.accounts.values.filter { account in name.map { precedes($0, account.username) } ?? true }
        let page = rest.sorted { precedes($0.username, $1.username) }.prefix(max(limit, 0))
        return AccountPage(accounts: page.filter(filter.admits), last: page.last?.username)
    }

    // MARK: Hashes

    func replaceHash(
        of account: AccountID, _ old: PasswordHash, by new: PasswordHash
    ) throws(AccountError) -> Bool {
        try beginWriting(.replaceHash)
        guard let stored = rows.accounts[account]?.passwordHash, stored.phc == old.phc else { return false }
        rows.accounts[account]?.passwordHash = new
        return true
    }

    var slowestHash: Int {
        get throws(AccountError) {
            try begin(.slowestHash)
            return rows.accounts.values.compactMap { $0.passwordHash?.milliseconds }.max() ?? 0
        }
    }

    func hashes(
        notSealedWith key: SealingKeyID?, after account: AccountID?, limit: Int
    ) throws(AccountError) -> [StoredHashRow] {
        try begin(.hashes)
        let rest = hashes.filter {
            $0.account.text > account?.text ?? "" && (key == nil || sealingKey(of: $0.hash) != key)
        }
        return Array(rest.sorted { $0.account.text < $1.account.text }.prefix(max(limit, 0)))
    }

    var usedSealingKeys: [SealingKeyID] {
        get throws(AccountError) {
            try begin(.usedSealingKeys)
            return Array(Set(hashes.compactMap { sealingKey(of: $0.hash) }))
        }
    }

    var hashCounts: [SealingKeyID?: Int] {
        get throws(AccountError) {
            try begin(.hashCounts)
            return Dictionary(hashes.map { (sealingKey(of: $0.hash), 1) }) { $0 + $1 }
        }
    }

    var sealingKeys: [SealingKeyRecord] {
        get throws(AccountError) {
            try begin(.sealingKeys)
            return rows.sealingKeys
        }
    }

    func insert(_ key: SealingKeyRecord) throws(AccountError) {
        try beginWriting(.insertSealingKey)
        guard !rows.sealingKeys.contains(where: { $0.id == key.id }) else { throw failConstraint() }
        rows.sealingKeys.append(key)
    }

    func deleteSealingKey(_ id: SealingKeyID) throws(AccountError) {
        try beginWriting(.deleteSealingKey)
        rows.sealingKeys.removeAll { $0.id == id }
    }

    private var hashes: [StoredHashRow] {
        rows.accounts.values.compactMap { account in
            account.passwordHash.map { StoredHashRow(account: account.id, hash: $0) }
        }
    }

    private func sealingKey(of hash: PasswordHash) -> SealingKeyID? {
        let prefix = "$sealed$v=1,k="
        return hash.phc.hasPrefix(prefix) ? SealingKeyID(String(hash.phc.dropFirst(prefix.count).prefix(16))) : nil
    }

    // MARK: Sessions

    func insert(_ session: Session) throws(AccountError) {
        try beginWriting(.insertSession)
        guard rows.accounts[session.account] != nil else { throw .noSuchAccount }
        guard rows.sessions[session.digest] == nil else { throw failConstraint() }
        rows.sessions[session.digest] = session
    }

    func session(_ digest: SessionDigest) throws(AccountError) -> Session? {
        try begin(.session)
        return rows.sessions[digest]
    }

    func sessions(of account: AccountID) throws(AccountError) -> [Session] {
        try begin(.sessions)
        return rows.sessions.values.filter { $0.account == account }.sorted(by: Self.precedes)
    }

    func sessions(
        createdBy created: Timestamp, orUsedBy used: Timestamp, limit: Int
    ) throws(AccountError) -> [Session] {
        try begin(.oldSessions)
        let old = rows.sessions.values.filter { $0.createdAt <= created || $0.lastUsedAt <= used }
        return Array(old.sorted(by: Self.precedes).prefix(max(limit, 0)))
    }

    private static func precedes(_ left: Session, _ right: Session) -> Bool {
        left.lastUsedAt != right.lastUsedAt
            ? left.lastUsedAt < right.lastUsedAt
            : left.digest.bytes.lexicographicallyPrecedes(right.digest.bytes)
    }

    func touchSession(_ digest: SessionDigest, at time: Timestamp) throws(AccountError) {
        try beginWriting(.touchSession)
        rows.sessions[digest]?.lastUsedAt = time
    }

    func deleteSession(_ digest: SessionDigest) throws(AccountError) -> Bool {
        try beginWriting(.deleteSession)
        return rows.sessions.removeValue(forKey: digest) != nil
    }

    func deleteSessions(of account: AccountID) throws(AccountError) -> Int {
        try beginWriting(.deleteSessions)
        let before = rows.sessions.count
        rows.sessions = rows.sessions.filter { $0.value.account != account }
        return before - rows.sessions.count
    }

    func deleteSessions(createdBy creation: Timestamp, lastUsedBy use: Timestamp) throws(AccountError) -> Int {
        try beginWriting(.deleteSessions)
        let before = rows.sessions.count
        rows.sessions = rows.sessions.filter { $0.value.createdAt > creation && $0.value.lastUsedAt > use }
        return before - rows.sessions.count
    }

    // MARK: Recovery

    func insert(_ request: RecoveryRequest) throws(AccountError) {
        try beginWriting(.insertRecoveryRequest)
        if case .account(let id) = request.throttle, rows.accounts[id] == nil { throw .noSuchAccount }
        guard rows.recovery[request.tag] == nil else { throw failConstraint() }
        rows.recovery[request.tag] = .init(request: request)
    }

    func recoveryRequest(_ tag: RecoveryCodeTag) throws(AccountError) -> RecoveryRequest? {
        try begin(.recoveryRequest)
        guard let row = rows.recovery[tag], !row.isUsed else { return nil }
        return row.request
    }

    func spendRecoveryCode(_ tag: RecoveryCodeTag, at time: Timestamp) throws(AccountError) -> RecoveryRequest? {
        try beginWriting(.spendRecoveryCode)
        guard let row = rows.recovery[tag], !row.isUsed else { return nil }
        rows.recovery[tag]?.isUsed = true
        return row.request
    }

    func recoveryRequests(in throttle: Throttle, since time: Timestamp) throws(AccountError) -> Int {
        try begin(.recoveryRequests)
        return rows.recovery.values.count {
            $0.request.newEmail == nil && $0.request.throttle == throttle && $0.request.createdAt >= time
        }
    }

    func emailChanges(of account: AccountID, since time: Timestamp) throws(AccountError) -> Int {
        try begin(.emailChanges)
        return rows.recovery.values.count {
            $0.request.newEmail != nil && $0.request.throttle == .account(account) && $0.request.createdAt >= time
        }
    }

    var codeFailures: CodeFailures? {
        get throws(AccountError) {
            try begin(.codeFailures)
            return rows.codeFailures
        }
    }

    func setCodeFailures(_ codes: CodeFailures) throws(AccountError) {
        try beginWriting(.setCodeFailures)
        rows.codeFailures = codes
    }

    func deleteRecoveryRequests(of account: AccountID) throws(AccountError) {
        try beginWriting(.deleteRecoveryRequests)
        rows.recovery = rows.recovery.filter { $0.value.request.throttle != .account(account) }
    }

    func deleteRecoveryRequests(expiredBefore time: Timestamp) throws(AccountError) {
        try beginWriting(.deleteExpiredRecoveryRequests)
        rows.recovery = rows.recovery.filter { $0.value.request.expiresAt >= time }
    }

    // MARK: Throttle

    func failures(in throttle: Throttle) throws(AccountError) -> ThrottleFailures? {
        try begin(.failures)
        return rows.failures[throttle]
    }

    func setFailures(_ failures: ThrottleFailures?, in throttle: Throttle) throws(AccountError) {
        try beginWriting(.setFailures)
        if case .account(let id) = throttle, failures != nil, rows.accounts[id] == nil { throw .noSuchAccount }
        rows.failures[throttle] = failures
    }

    func throttlesWithUnrecordedRefusals(
        since time: Timestamp, limit: Int
    ) throws(AccountError) -> [(throttle: Throttle, failures: ThrottleFailures)] {
        try begin(.throttlesWithUnrecordedRefusals)
        let throttles = rows.failures.filter { _, failures in
            failures.refusals.map { $0.counted > 0 && $0.since <= time } ?? false
        }
        return throttles.map { (throttle: $0.key, failures: $0.value) }.sorted { left, right in
            (left.failures.refusals?.since ?? time) < (right.failures.refusals?.since ?? time)
        }.prefix(max(limit, 0)).map(\.self)
    }

    func failures(ofSource number: UInt16) throws(AccountError) -> SourceFailures? {
        try begin(.sourceFailures)
        return rows.sources[number]
    }

    func setFailures(_ failures: SourceFailures, ofSource number: UInt16) throws(AccountError) {
        try beginWriting(.setSourceFailures)
        rows.sources[number] = failures
    }

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

    func dueMessages(at time: Timestamp, limit: Int) throws(AccountError) -> [OutboxMessage] {
        try begin(.dueMessages)
        let due = rows.outbox.filter { message in
            let next = rows.nextAttempts[message.id] ?? Timestamp(milliseconds: 0)
            let isOver = message.expiresAt.map { $0 <= time } ?? false
            return next <= time || next.since(time) > .seconds(21600) || isOver || message.recipient == nil
        }
        return Array(due.prefix(max(limit, 0)))
    }

    func postponeMessage(_ id: String, until time: Timestamp) throws(AccountError) {
        try beginWriting(.postponeMessage)
        guard let index = rows.outbox.firstIndex(where: { $0.id == id }) else { return }
        rows.outbox[index].attempts += 1
        rows.nextAttempts[id] = time
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
        return StoreCounts(
            activeAccounts: accounts.count { $0.verifyBy == nil && $0.state == .active },
            disabledAccounts: accounts.count { $0.verifyBy == nil && $0.state == .disabled },
            unverifiedAccounts: accounts.count { $0.verifyBy != nil },
            accountsToChangePassword: accounts.count(where: \.mustChangePassword),
            liveSessions: rows.sessions.values.count { session in
                session.createdAt > window.createdAfter && session.lastUsedAt > window.usedAfter
                    && max(session.createdAt, session.lastUsedAt) <= window.latest
            },
            waitingMessages: rows.outbox.count { message in
                message.recipient != nil && message.expiresAt.map { $0 > time } ?? true
            })
    }

    func auditCounts(after sequence: Int64, limit: Int) throws(AccountError) -> AuditCounts {
        try begin(.auditCounts)
        let piece = rows.audit.filter { $0.sequence > sequence }.prefix(max(limit, 0))
        let byName = piece.reduce(into: [:]) { $0[$1.record?.name ?? "", default: 0] += 1 }
        return AuditCounts(byName: byName, last: piece.last?.sequence)
    }

    // MARK: Clock

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
        for (tag, row) in rows.recovery where row.request.expiresAt <= record.time { rows.recovery[tag]?.isUsed = true }
    }

    func auditRows(after sequence: Int64, limit: Int) throws(AccountError) -> [AuditRow] {
        try begin(.auditRows)
        // The numbers have no gaps.
        let place = max(sequence, 0) + 1 - (rows.audit.first?.sequence ?? 1)
        return Array(rows.audit.dropFirst(max(Int(place), 0)).prefix(max(limit, 0)))
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
