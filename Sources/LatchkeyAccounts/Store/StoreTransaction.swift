/// What can be done inside one transaction of an ``AccountStore``. Not to be kept after it.
public protocol StoreTransaction {
    /// The random name of this store, 16 bytes, made with it: sessions and the audit chain are bound to it.
    var storeID: [UInt8] { get throws(AccountError) }

    // Accounts
    var hasAccounts: Bool { get throws(AccountError) }
    func account(_ lookup: AccountLookup) throws(AccountError) -> Account?
    /// - Throws: ``AccountError/taken(field:)``, with `username`, `email_field` or `id`.
    func insert(_ account: Account) throws(AccountError)
    /// Replaces everything but `id` and `createdAt`. Throws as ``insert(_:)-(Account)`` does.
    func update(_ account: Account) throws(AccountError)
    /// Removes the account with its sessions, codes and throttle throttle; false where there is none.
    func deleteAccount(_ id: AccountID) throws(AccountError) -> Bool
    /// At most `limit` accounts whose address was to be proved by `time` and is not.
    func unverifiedAccounts(expiredBy time: Timestamp, limit: Int) throws(AccountError) -> [AccountID]
    /// Looks at `limit` accounts, ordered by the bytes of the prepared username, after `name`, and gives those that
    /// `filter` admits.
    func accounts(
        matching filter: AccountFilter, after name: Username?, limit: Int
    ) throws(AccountError) -> AccountPage

    // Hashes
    /// Puts `new` in the place of `old`, and changes nothing else; false where `old` is not what is stored any more.
    func replaceHash(
        of account: AccountID, _ old: PasswordHash, by new: PasswordHash
    ) throws(AccountError) -> Bool
    /// The most ``PasswordHash/milliseconds`` of any account; 0 where there is none.
    var slowestHash: Int { get throws(AccountError) }
    /// At most `limit` hashes that are not sealed with `key`, ordered by the accounts' ids, after `account`; where `key`
    /// is nil, of all.
    func hashes(
        notSealedWith key: SealingKeyID?, after account: AccountID?, limit: Int
    ) throws(AccountError) -> [StoredHashRow]
    /// Every key that a hash is sealed with.
    var usedSealingKeys: [SealingKeyID] { get throws(AccountError) }
    /// How many hashes are sealed with each key; under nil, how many are bare. Reads all of them.
    var hashCounts: [SealingKeyID?: Int] { get throws(AccountError) }
    /// In the order in which they were added: the last seals new hashes.
    var sealingKeys: [SealingKeyRecord] { get throws(AccountError) }
    func insert(_ key: SealingKeyRecord) throws(AccountError)
    func deleteSealingKey(_ id: SealingKeyID) throws(AccountError)

    // Sessions
    func insert(_ session: Session) throws(AccountError)
    func session(_ digest: SessionDigest) throws(AccountError) -> Session?
    /// All of the account's, the one unused for longest first.
    func sessions(of account: AccountID) throws(AccountError) -> [Session]
    /// At most `limit` sessions that were made at `created` or before, or last used at `used` or before.
    func sessions(
        createdBy created: Timestamp, orUsedBy used: Timestamp, limit: Int
    ) throws(AccountError) -> [Session]
    func touchSession(_ digest: SessionDigest, at time: Timestamp) throws(AccountError)
    func deleteSession(_ digest: SessionDigest) throws(AccountError) -> Bool
    /// How many there were.
    func deleteSessions(of account: AccountID) throws(AccountError) -> Int

    /// Removes the sessions that were made at `creation` or before, and those that were last used at `use` or before.
    /// How many there were.
    func deleteSessions(createdBy creation: Timestamp, lastUsedBy use: Timestamp) throws(AccountError) -> Int

    // Recovery
    func insert(_ request: RecoveryRequest) throws(AccountError)
    /// The request with this code, if it is not used yet. Whether it is too old, the service judges.
    func recoveryRequest(_ tag: RecoveryCodeTag) throws(AccountError) -> RecoveryRequest?
    /// Marks the request as used at `time` where it is not used yet, too old or not, and gives it. One statement, so
    /// that of many at once one wins; and what was found too old stays so, wherever the clock goes.
    func spendRecoveryCode(_ tag: RecoveryCodeTag, at time: Timestamp) throws(AccountError) -> RecoveryRequest?
    /// How many requests in `throttle` to recover an account were made at `time` or later, used ones too.
    func recoveryRequests(in throttle: Throttle, since time: Timestamp) throws(AccountError) -> Int
    /// How many requests to change the account's address were made at `time` or later, used ones too.
    func emailChanges(of account: AccountID, since time: Timestamp) throws(AccountError) -> Int
    func deleteRecoveryRequests(of account: AccountID) throws(AccountError)
    /// Removes what had expired before `time`, used or not.
    func deleteRecoveryRequests(expiredBefore time: Timestamp) throws(AccountError)

    // Throttle
    func failures(in throttle: Throttle) throws(AccountError) -> ThrottleFailures?
    /// Nil clears the throttle.
    func setFailures(_ failures: ThrottleFailures?, in throttle: Throttle) throws(AccountError)
    /// At most `limit` throttles that have counted refusals without recording them, in minutes that began at `time` or before.
    func throttlesWithUnrecordedRefusals(
        since time: Timestamp, limit: Int
    ) throws(AccountError) -> [(throttle: Throttle, failures: ThrottleFailures)]

    func failures(ofSource number: UInt16) throws(AccountError) -> SourceFailures?
    func setFailures(_ failures: SourceFailures, ofSource number: UInt16) throws(AccountError)

    /// The wrong codes of the present hour; nil before the first.
    var codeFailures: CodeFailures? { get throws(AccountError) }
    func setCodeFailures(_ codes: CodeFailures) throws(AccountError)

    // Outbox
    func enqueue(_ message: OutboxMessage) throws(AccountError)
    /// At most `limit` messages that wait, oldest first, decoys and expired ones too.
    func waitingMessages(limit: Int) throws(AccountError) -> [OutboxMessage]
    /// At most `limit` messages, oldest first, that are to be delivered at `time`, and those that are to be wiped: for
    /// nobody, or too old. One whose next attempt is more than 6 hours off was postponed by a clock that was wrong.
    func dueMessages(at time: Timestamp, limit: Int) throws(AccountError) -> [OutboxMessage]
    /// Counts an attempt to deliver the message, which is due again at `time`.
    func postponeMessage(_ id: String, until time: Timestamp) throws(AccountError)
    /// Wipes the message and its body.
    func deleteMessage(_ id: String) throws(AccountError)

    // Counting
    /// How many accounts, sessions and messages there are. Looks at each of them.
    func counts(
        ofSessions window: SessionWindow, at time: Timestamp
    ) throws(AccountError) -> StoreCounts
    /// Of `limit` audit records after number `sequence`, how many tell of each event.
    func auditCounts(after sequence: Int64, limit: Int) throws(AccountError) -> AuditCounts

    // Clock
    var clockMark: ClockMark { get throws(AccountError) }
    func setClockMark(_ mark: ClockMark) throws(AccountError)

    // Restoring
    /// Ends every session, and kills every code with the messages that carry one.
    ///
    /// - Parameter throttles: whether all throttles are cleared too.
    func revokeEverything(throttles: Bool) throws(AccountError)

    // Audit
    /// The newest record's number and hash; nil before the first.
    var auditHead: AuditHead? { get throws(AccountError) }
    /// Every code that had expired by the record's time is used up with it: the time was seen, wherever the clock goes.
    func append(_ record: AuditRecord, hash: [UInt8]) throws(AccountError)
    /// At most `limit` rows after number `sequence`, in order.
    func auditRows(after sequence: Int64, limit: Int) throws(AccountError) -> [AuditRow]
    /// All rows that begin a segment (``AuditEvent/auditRotated``), in order: some hundreds at most.
    func auditRotations() throws(AccountError) -> [AuditRow]
    /// About how many bytes the rows from number `sequence` on take.
    func auditSize(from sequence: Int64) throws(AccountError) -> Int64
    /// Drops every row before number `sequence`, where that one begins a segment; otherwise nothing.
    ///
    /// - Returns: how many there were.
    func dropAuditRecords(before sequence: Int64) throws(AccountError) -> Int
    /// The failures of the present minute in the whole store; nil before the first.
    var auditFlood: AuditFlood? { get throws(AccountError) }
    func setAuditFlood(_ flood: AuditFlood) throws(AccountError)
}

extension StoreTransaction {
    /// At most `limit` accounts, ordered by the bytes of the prepared username, after `name`.
    package func accounts(after name: Username?, limit: Int) throws(AccountError) -> [Account] {
        try accounts(matching: AccountFilter(), after: name, limit: limit).accounts
    }
}
