public import LatchkeyForms

/// All operations of one transaction of an ``AccountStore``.
///
/// It composes one protocol per concern, so that a function can require only what it needs. A transaction is valid only
/// inside the body that receives it.
public protocol StoreTransaction: AccountRows, SealingRows, SessionRows, RecoveryRows, ThrottleRows, OutboxRows,
    AuditRows, ClockRows, TokenRows, FactorRows
{
    /// Counts accounts, sessions and messages by kind. Reads all of them.
    ///
    /// - Parameter window: which sessions count as live.
    func counts(ofSessions window: SessionWindow, at time: Timestamp) throws(AccountError) -> StoreCounts

    /// Deletes every session, every pending login, every app password, every known device, every operator token, every
    /// recovery request, and every message that carries a code.
    ///
    /// - Parameter throttles: whether to clear the throttles of accounts, unknown names and sources too.
    func revokeEverything(throttles: Bool) throws(AccountError)
}

/// Reads and writes accounts.
public protocol AccountRows {
    /// Whether the store has an account.
    var hasAccounts: Bool { get throws(AccountError) }
    /// Finds an account; nil if there is none.
    func account(_ lookup: AccountLookup) throws(AccountError) -> Account?
    /// Whether an account has the username, the address or the id. Faster than finding the accounts.
    func hasAccount(_ username: Username?, _ email: EmailAddress, _ id: AccountID?) throws(AccountError) -> Bool
    /// Stores a new account.
    ///
    /// - Throws: ``AccountError/taken(field:)``, with `username`, `email_field` or `id`.
    func insert(_ account: Account) throws(AccountError)
    /// Stores new accounts that share no username, address or id, except for those whose values a stored account has.
    ///
    /// - Returns: the taken field of each account that was not stored, by its index.
    func insert(_ accounts: [Account]) throws(AccountError) -> [Int: FieldKey]
    /// Replaces all values except `id` and `createdAt`. Throws like ``insert(_:)-(Account)``.
    func update(_ account: Account) throws(AccountError)
    /// Deletes the account with its sessions, factors, app passwords, known devices, recovery requests and throttle;
    /// false if there is no such account.
    func deleteAccount(_ id: AccountID) throws(AccountError) -> Bool
    /// At most `limit` accounts whose deadline to verify the address was `time` or earlier.
    func unverifiedAccounts(expiredBy time: Timestamp, limit: Int) throws(AccountError) -> [AccountID]
    /// Reads `limit` accounts after `name`, ordered by their login names, and returns the matching ones.
    func accounts(
        matching filter: AccountFilter, after name: LoginName?, limit: Int
    ) throws(AccountError) -> AccountPage
    /// Replaces the hash `old` with `new` and changes nothing else; false if `old` is no longer the stored hash.
    func replaceHash(of account: AccountID, _ old: PasswordHash, by new: PasswordHash) throws(AccountError) -> Bool
    /// The largest ``PasswordHash/milliseconds`` of any account; 0 if there is none.
    var slowestHash: Int { get throws(AccountError) }
}

/// Reads and writes the records of sealing keys, and finds hashes by the key that seals them.
public protocol SealingRows {
    /// At most `limit` hashes after `account`, ordered by account id, that `key` does not seal; all hashes if `key` is
    /// nil.
    func hashes(
        notSealedWith key: SealingKeyID?, after account: AccountID?, limit: Int
    ) throws(AccountError) -> [StoredHashRow]
    /// Every key that seals at least one hash.
    var usedSealingKeys: [SealingKeyID] { get throws(AccountError) }
    /// The number of hashes that each key seals; nil counts unsealed hashes. Reads all of them.
    var hashCounts: [SealingKeyID?: Int] { get throws(AccountError) }
    /// The keys in the order in which they were added. The last one seals new hashes.
    var sealingKeys: [SealingKeyRecord] { get throws(AccountError) }
    /// Records a new key.
    func insert(_ key: SealingKeyRecord) throws(AccountError)
    /// Deletes the record of a key.
    func deleteSealingKey(_ id: SealingKeyID) throws(AccountError)
}

/// Reads and writes sessions.
public protocol SessionRows {
    /// Stores a new session.
    ///
    /// - Throws: ``AccountError/noSuchAccount`` if its account is gone.
    func insert(_ session: Session) throws(AccountError)
    /// Finds a session; nil if there is none.
    func session(_ digest: SessionDigest) throws(AccountError) -> Session?
    /// All sessions of the account, least recently used first.
    func sessions(of account: AccountID) throws(AccountError) -> [Session]
    /// At most `limit` sessions created at or before `created`, or last used at or before `used`.
    func sessions(
        createdBy created: Timestamp, orUsedBy used: Timestamp, limit: Int
    ) throws(AccountError) -> [Session]
    /// Stores the time of last use of a session, and its tag; does nothing if the session is gone.
    func touch(_ session: Session) throws(AccountError)
    /// Deletes a session; false if there is none.
    func deleteSession(_ digest: SessionDigest) throws(AccountError) -> Bool
    /// Deletes all sessions of the account and returns their number.
    func deleteSessions(of account: AccountID) throws(AccountError) -> Int
    /// Deletes the sessions created at or before `creation` or last used at or before `use`; returns how many there
    /// were.
    func deleteSessions(createdBy creation: Timestamp, lastUsedBy use: Timestamp) throws(AccountError) -> Int
}

/// Reads and writes requests for codes that recover an account or verify a new address.
public protocol RecoveryRows {
    /// Stores a new request.
    ///
    /// - Throws: ``AccountError/noSuchAccount`` if its account is gone.
    func insert(_ request: RecoveryRequest) throws(AccountError)
    /// The unused request with this code, expired or not; nil if there is none.
    func recoveryRequest(_ tag: RecoveryCodeTag) throws(AccountError) -> RecoveryRequest?
    /// Marks an unused request as used at `time`, expired or not, and returns it; nil if there is none.
    ///
    /// This is one statement, so that only one of several concurrent callers succeeds. An expired code stays spent even
    /// if the clock goes back.
    func spendRecoveryCode(_ tag: RecoveryCodeTag, at time: Timestamp) throws(AccountError) -> RecoveryRequest?
    /// The number of recovery requests of `throttle` since `time`, used ones included.
    func recoveryRequests(in throttle: Throttle, since time: Timestamp) throws(AccountError) -> Int
    /// The number of requests to change the account's address since `time`, used ones included.
    func emailChanges(of account: AccountID, since time: Timestamp) throws(AccountError) -> Int
    /// Deletes all requests of the account.
    func deleteRecoveryRequests(of account: AccountID) throws(AccountError)
    /// Deletes the requests that expired before `time`, used or not.
    func deleteRecoveryRequests(expiredBefore time: Timestamp) throws(AccountError)
}

/// Reads and writes the failures that throttles count.
public protocol ThrottleRows {
    /// The failures that a throttle has counted; nil if there are none.
    func failures(in throttle: Throttle) throws(AccountError) -> ThrottleFailures?
    /// Stores the failures of a throttle; nil clears them. For a device, stores the count if the device is known.
    func setFailures(_ failures: ThrottleFailures?, in throttle: Throttle) throws(AccountError)
    /// At most `limit` throttles with counted refusals that are not yet recorded, whose minute began at or before
    /// `time`.
    func throttlesWithUnrecordedRefusals(
        since time: Timestamp, limit: Int
    ) throws(AccountError) -> [(throttle: Throttle, failures: ThrottleFailures)]
    /// The failures of the source in row `number`; nil if there are none.
    func failures(ofSource number: UInt16) throws(AccountError) -> SourceFailures?
    /// Stores the failures of the source in row `number`.
    func setFailures(_ failures: SourceFailures, ofSource number: UInt16) throws(AccountError)
    /// The known device with this digest; nil if there is none.
    func device(_ digest: [UInt8]) throws(AccountError) -> KnownDevice?
    /// Stores a device, replacing its stored values.
    ///
    /// - Throws: ``AccountError/noSuchAccount`` if its account is gone.
    func setDevice(_ device: KnownDevice) throws(AccountError)
    /// Deletes the account's devices except for the `count` that were used last.
    func deleteDevices(of account: AccountID, keeping count: Int) throws(AccountError)
    /// Deletes the devices that were last used at or before `time`.
    func deleteDevices(lastUsedBy time: Timestamp) throws(AccountError)
    /// The wrong codes of the last counted hour; nil before the first.
    var codeFailures: CodeFailures? { get throws(AccountError) }
    /// Stores the count of wrong codes.
    func setCodeFailures(_ failures: CodeFailures) throws(AccountError)
}

/// Reads and writes messages that wait for delivery.
public protocol OutboxRows {
    /// Adds a message at the end of the queue.
    func enqueue(_ message: OutboxMessage) throws(AccountError)
    /// At most `limit` waiting messages, oldest first, decoys and expired ones included.
    func waitingMessages(limit: Int) throws(AccountError) -> [OutboxMessage]
    /// At most `limit` messages, oldest first, that are due at `time` or must be deleted: decoys and expired ones.
    ///
    /// A message is also due if its next attempt is more than 6 hours away, because a wrong clock postponed it.
    func dueMessages(at time: Timestamp, limit: Int) throws(AccountError) -> [OutboxMessage]
    /// Counts a delivery attempt; the message is due again at `time`.
    func postponeMessage(_ id: String, until time: Timestamp) throws(AccountError)
    /// Deletes the message and its body.
    func deleteMessage(_ id: String) throws(AccountError)
}

/// Reads the audit trail, appends to it, and drops its oldest segments.
public protocol AuditRows {
    /// The random ID of this store, 16 bytes, created with it. The audit chain starts from it.
    var storeID: [UInt8] { get throws(AccountError) }
    /// The newest record's number and hash; nil before the first.
    var auditHead: AuditHead? { get throws(AccountError) }
    /// Appends a record, and marks every code that has expired by the record's time as used.
    ///
    /// A code therefore stays expired even if the clock goes back.
    func append(_ record: AuditRecord, hash: [UInt8]) throws(AccountError)
    /// At most `limit` rows after number `sequence`, in order.
    func auditRows(after sequence: Int64, limit: Int) throws(AccountError) -> [AuditRow]
    /// All rows that begin a segment (``AuditEvent/auditRotated``), in order: at most a few hundred.
    func auditRotations() throws(AccountError) -> [AuditRow]
    /// The approximate size of the rows from number `sequence` on, in bytes.
    func auditSize(from sequence: Int64) throws(AccountError) -> Int64
    /// Deletes every row before number `sequence` if that row begins a segment; otherwise nothing.
    ///
    /// - Returns: the number of deleted rows.
    func dropAuditRecords(before sequence: Int64) throws(AccountError) -> Int
    /// Counts the events of `limit` records after number `sequence`.
    func auditCounts(after sequence: Int64, limit: Int) throws(AccountError) -> AuditCounts
    /// The failures of the current minute in the whole store; nil before the first.
    var auditFlood: AuditFlood? { get throws(AccountError) }
    /// Stores the failures of the current minute.
    func setAuditFlood(_ flood: AuditFlood) throws(AccountError)
}

/// Reads and writes the times that the store has seen.
public protocol ClockRows {
    /// The newest times that the store has seen.
    var clockMark: ClockMark { get throws(AccountError) }
    /// Stores the newest times.
    func setClockMark(_ mark: ClockMark) throws(AccountError)
}

extension AccountRows {
    /// Stores one account after the other.
    public func insert(_ accounts: [Account]) throws(AccountError) -> [Int: FieldKey] {
        var taken: [Int: FieldKey] = [:]
        for (index, account) in accounts.enumerated() {
            do throws(AccountError) { try insert(account) } catch .taken(let field) { taken[index] = field }
        }
        return taken
    }
}

extension AccountRows {
    /// At most `limit` accounts after `name`, ordered by their login names.
    package func accounts(after name: LoginName?, limit: Int) throws(AccountError) -> [Account] {
        try accounts(matching: AccountFilter(), after: name, limit: limit).accounts
    }
}
