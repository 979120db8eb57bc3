public import LatchkeyForms

/// All operations of one transaction of an ``AccountStore``.
///
/// It composes one protocol per concern, so that a function can require only what it needs. A transaction is valid only
/// inside the body that receives it.
public protocol StoreTransaction: AccountRows, SignUpRows, ReservedNameRows, SealingRows, SessionRows, RecoveryRows,
    ThrottleRows, OutboxRows, AuditRows, LaneRows, ClockRows, TokenRows, FactorRows, GroupRows, ClientRows,
    SigningKeyRows,
    AuthorizationRows, GrantRows, DeviceRequestRows
{
    /// Counts accounts, sessions and messages by state. Reads all of them.
    ///
    /// - Parameters:
    ///   - window: the times at which a session counts as live.
    ///   - time: the time for which to count.
    func counts(ofSessions window: SessionWindow, at time: Timestamp) throws(AccountError) -> StoreCounts

    /// Deletes all sessions, pending logins, app passwords, known devices, operator tokens, recovery requests,
    /// authorization requests and grants, and all messages that contain a code.
    ///
    /// - Parameter throttles: whether to clear the throttles of accounts, unknown names and sources too.
    func revokeEverything(throttles: Bool) throws(AccountError)
}

/// Rows that are read together.
public protocol ExpectedRows {
    /// Announces rows that the transaction will probably read next.
    ///
    /// A store on another machine reads all of them in one round trip. They change only the time: the transaction reads
    /// by itself what is missing here, and what it does not need is ignored.
    func expect(_ rows: [ExpectedRow]) throws(AccountError)
}

extension ExpectedRows {
    /// The default for a store on this machine, which reads each row when it is needed.
    public func expect(_ rows: [ExpectedRow]) {}
}

/// Reads and writes accounts.
public protocol AccountRows: ExpectedRows {
    /// Whether the store has an account.
    var hasAccounts: Bool { get throws(AccountError) }
    /// Finds an account; nil if there is none.
    func account(_ lookup: AccountLookup) throws(AccountError) -> Account?
    /// Whether an account with the username, the address or the ID exists. Faster than reading the accounts.
    func hasAccount(_ username: Username?, _ email: EmailAddress, _ id: AccountID?) throws(AccountError) -> Bool
    /// Stores a new account.
    ///
    /// - Throws: ``AccountError/taken(field:)``, with `username`, `email_field` or `id`.
    func insert(_ account: Account) throws(AccountError)
    /// Stores new accounts, except those with a username, address or ID that a stored account already uses. The new
    /// accounts must not share any of these values.
    ///
    /// - Returns: the field that was taken, by the index of each account that was not stored.
    func insert(_ accounts: [Account]) throws(AccountError) -> [Int: FieldKey]
    /// Replaces all values except `id`, `createdAt` and `lastLoginAt`. Throws like ``insert(_:)-(Account)``.
    func update(_ account: Account) throws(AccountError)
    /// Stores the time of an account's last login, which ``update(_:)-(Account)`` leaves as it is.
    func noteLogin(of account: AccountID, at time: Timestamp) throws(AccountError)
    /// Deletes the account with its sessions, factors, app passwords, known devices, recovery requests, group
    /// memberships and throttle; false if it does not exist.
    func deleteAccount(_ id: AccountID) throws(AccountError) -> Bool
    /// At most `limit` accounts whose verification deadline was at or before `time`.
    func unverifiedAccounts(expiredBy time: Timestamp, limit: Int) throws(AccountError) -> [AccountID]
    /// Reads `limit` accounts after `name`, ordered by their login names, and returns those that match the filter.
    func accounts(
        matching filter: AccountFilter, after name: LoginName?, limit: Int
    ) throws(AccountError) -> AccountPage
    /// Replaces only the hash `old` with `new`; false if `old` is no longer the stored hash.
    func replaceHash(of account: AccountID, _ old: PasswordHash, by new: PasswordHash) throws(AccountError) -> Bool
    /// The smallest and the largest `PasswordHash.milliseconds` of all accounts; nil if no account has a hash.
    var hashCosts: ClosedRange<Int>? { get throws(AccountError) }
}

/// Reads and writes the records of sealing keys, and finds hashes by their sealing key.
public protocol SealingRows {
    /// At most `limit` hashes after `account`, ordered by account ID, that are not sealed with `key`; all hashes if
    /// `key` is nil.
    func hashes(
        notSealedWith key: SealingKeyID?, after account: AccountID?, limit: Int
    ) throws(AccountError) -> [StoredHashRow]
    /// The keys that seal at least one hash.
    var usedSealingKeys: [SealingKeyID] { get throws(AccountError) }
    /// The number of hashes sealed with each key; nil counts bare hashes. Reads all hashes.
    var hashCounts: [SealingKeyID?: Int] { get throws(AccountError) }
    /// The keys in the order in which they were added. The last key seals new hashes.
    var sealingKeys: [SealingKeyRecord] { get throws(AccountError) }
    /// Records a new key.
    func insert(_ key: SealingKeyRecord) throws(AccountError)
    /// Deletes the record of a key.
    func deleteSealingKey(_ id: SealingKeyID) throws(AccountError)
}

/// Reads and writes sessions.
public protocol SessionRows: ExpectedRows {
    /// Stores a new session.
    ///
    /// - Throws: ``AccountError/noSuchAccount`` if the account no longer exists.
    func insert(_ session: Session) throws(AccountError)
    /// Finds a session; nil if there is none.
    func session(_ digest: SessionDigest) throws(AccountError) -> Session?
    /// At most `limit` sessions of all accounts, most recently used first, after the session at `place`.
    func sessions(after place: SessionPlace?, limit: Int) throws(AccountError) -> [Session]
    /// All sessions of the account, least recently used first.
    func sessions(of account: AccountID) throws(AccountError) -> [Session]
    /// At most `limit` sessions that were created at or before `created`, or last used at or before `used`.
    func sessions(
        createdBy created: Timestamp, orUsedBy used: Timestamp, limit: Int
    ) throws(AccountError) -> [Session]
    /// Updates a session's time of last use and its tag. Does nothing if the session does not exist.
    func touch(_ session: Session) throws(AccountError)
    /// Deletes a session. Does nothing if it does not exist.
    func deleteSession(_ digest: SessionDigest) throws(AccountError)
    /// Deletes all sessions of the account and returns their number.
    func deleteSessions(of account: AccountID) throws(AccountError) -> Int
    /// Deletes the sessions created at or before `creation`, or last used at or before `use`, and returns their number.
    func deleteSessions(createdBy creation: Timestamp, lastUsedBy use: Timestamp) throws(AccountError) -> Int
}

/// Reads and writes requests for codes that recover an account or verify a new address.
public protocol RecoveryRows: ExpectedRows {
    /// Stores a new request.
    ///
    /// - Throws: ``AccountError/noSuchAccount`` if the account no longer exists.
    func insert(_ request: RecoveryRequest) throws(AccountError)
    /// The unused request for this code, expired or not; nil if there is none.
    func recoveryRequest(_ tag: RecoveryCodeTag) throws(AccountError) -> RecoveryRequest?
    /// Marks an unused request as used at `time`, even if it has expired, and returns it; nil if there is none.
    ///
    /// The store does this in one statement, so that only one of several concurrent callers succeeds. An expired code
    /// cannot become valid again, even if the clock goes back.
    func spendRecoveryCode(_ tag: RecoveryCodeTag, at time: Timestamp) throws(AccountError) -> RecoveryRequest?
    /// The number of recovery requests of `throttle` since `time`, including used ones.
    func recoveryRequests(in throttle: Throttle, since time: Timestamp) throws(AccountError) -> Int
    /// The number of requests to change the account's address since `time`, including used ones.
    func emailChanges(of account: AccountID, since time: Timestamp) throws(AccountError) -> Int
    /// The new address of the account whose code is neither used nor expired at `time`; nil if none waits.
    func waitingAddress(of account: AccountID, at time: Timestamp) throws(AccountError) -> EmailAddress?
    /// Marks the codes for new addresses of the account as used, without confirming them.
    func cancelEmailChanges(of account: AccountID, at time: Timestamp) throws(AccountError)
    /// The number of requests since `time` whose code verifies `address` as a new one, used ones included.
    ///
    /// - Parameters:
    ///   - throttle: counts only the requests of this one; nil for all.
    ///   - address: the new address that the codes verify.
    ///   - time: counts only the requests from then on.
    func requests(
        verifying address: EmailAddress, in throttle: Throttle?, since time: Timestamp
    ) throws(AccountError) -> Int
    /// Marks the unused codes that had expired at `time` as used.
    func spendRecoveryCodes(expiredBy time: Timestamp) throws(AccountError)
    /// Deletes all requests of the account.
    func deleteRecoveryRequests(of account: AccountID) throws(AccountError)
    /// Deletes the requests that expired before `time`, used or not.
    func deleteRecoveryRequests(expiredBefore time: Timestamp) throws(AccountError)
}

/// Reads and writes the failures that throttles count.
public protocol ThrottleRows: ExpectedRows {
    /// The counted failures of a throttle; nil if there are none.
    func failures(in throttle: Throttle) throws(AccountError) -> ThrottleFailures?
    /// Stores the failures of a throttle; nil clears them. For a device, it stores the count only if the device is
    /// known.
    func setFailures(_ failures: ThrottleFailures?, in throttle: Throttle) throws(AccountError)
    /// At most `limit` throttles with refusals that were counted but not yet recorded, in a minute that began at or
    /// before `time`.
    func throttlesWithUnrecordedRefusals(
        since time: Timestamp, limit: Int
    ) throws(AccountError) -> [(throttle: Throttle, failures: ThrottleFailures)]
    /// The failures of the sources in row `number`; nil if there are none.
    func failures(ofSource number: UInt16) throws(AccountError) -> SourceFailures?
    /// Stores the failures of the sources in row `number`.
    func setFailures(_ failures: SourceFailures, ofSource number: UInt16) throws(AccountError)
    /// The known device with this digest; nil if there is none.
    func device(_ digest: [UInt8]) throws(AccountError) -> KnownDevice?
    /// Stores a device or replaces its stored values.
    ///
    /// - Throws: ``AccountError/noSuchAccount`` if the account no longer exists.
    func setDevice(_ device: KnownDevice) throws(AccountError)
    /// All devices of the account.
    func devices(of account: AccountID) throws(AccountError) -> [KnownDevice]
    /// Deletes a device; does nothing if there is none.
    func deleteDevice(_ digest: [UInt8]) throws(AccountError)
    /// Deletes all devices of the account.
    func deleteDevices(of account: AccountID) throws(AccountError)
    /// Deletes the devices that were last used at or before `time`.
    func deleteDevices(lastUsedBy time: Timestamp) throws(AccountError)
    /// The wrong codes of the last counted hour; nil before the first wrong code.
    var codeFailures: CodeFailures? { get throws(AccountError) }
    /// Stores the count of wrong codes.
    func setCodeFailures(_ failures: CodeFailures) throws(AccountError)
}

/// Reads and writes messages that wait for delivery.
public protocol OutboxRows {
    /// Adds a message at the end of the queue.
    func enqueue(_ message: OutboxMessage) throws(AccountError)
    /// At most `limit` waiting messages, oldest first, including decoys and expired messages.
    func waitingMessages(limit: Int) throws(AccountError) -> [OutboxMessage]
    /// The waiting message with this ID; nil if there is none.
    func waitingMessage(_ id: String) throws(AccountError) -> OutboxMessage?
    /// At most `limit` messages of a kind, oldest first, that are due at `time`, or that are decoys or expired and must
    /// be deleted.
    ///
    /// A message is also due if its next attempt is more than 6 hours away. In this case, a wrong clock postponed it.
    func dueMessages(
        _ kind: OutboxMessage.Kind, at time: Timestamp, limit: Int
    ) throws(AccountError) -> [OutboxMessage]
    /// Counts a delivery attempt and makes the message due again at `time`.
    func postponeMessage(_ id: String, until time: Timestamp) throws(AccountError)
    /// Makes the logout notices to an application due at `time`, if they were due earlier. Counts no attempt.
    func postponeNotices(to client: String, until time: Timestamp) throws(AccountError)
    /// Stores the reason of a failed attempt: see `DeliveryFailure.reason`.
    ///
    /// - Parameters:
    ///   - isLast: whether the message expires instead of being due again.
    ///   - message: the ID of the message.
    ///   - reason: why it could not be delivered.
    func setFailure(_ reason: String, of message: String, isLast: Bool) throws(AccountError)
    /// Deletes the message and its body.
    func deleteMessage(_ id: String) throws(AccountError)
}

/// Reads the audit trail, appends to it, and drops its oldest segments.
public protocol AuditRows: ExpectedRows {
    /// The random ID of this store, 16 bytes. The audit chain starts from it.
    var storeID: [UInt8] { get throws(AccountError) }
    /// The number and hash of the newest record; nil if there is none.
    var auditHead: AuditHead? { get throws(AccountError) }
    /// Keeps a record until the end of the transaction, which writes it.
    func collect(_ record: PendingRecord) throws(AccountError)
    /// The records that the transaction has collected since the last call, in order.
    func takeRecords() -> [PendingRecord]
    /// The tag of the store's key over the end of the trail, 32 bytes; nil before the first record.
    var seal: [UInt8]? { get throws(AccountError) }
    /// Stores the tag of the store's key over the end of the trail.
    func setSeal(_ seal: [UInt8]) throws(AccountError)
    /// Appends a record at the end of the trail.
    func append(_ record: AuditRecord, hash: [UInt8]) throws(AccountError)
    /// At most `limit` rows after number `sequence`, in order.
    func auditRows(after sequence: Int64, limit: Int) throws(AccountError) -> [AuditRow]
    /// At most `limit` rows with these numbers that the filter selects, newest first.
    func auditRows(
        from first: Int64, before end: Int64, matching filter: AuditFilter, limit: Int
    ) throws(AccountError) -> [AuditRow]
    /// All rows that begin a segment (``AuditEvent/auditRotated``), in order: at most a few hundred.
    func auditRotations() throws(AccountError) -> [AuditRow]
    /// The approximate total size of the rows from number `sequence` on, in bytes.
    func auditSize(from sequence: Int64) throws(AccountError) -> Int64
    /// Deletes all rows before number `sequence`, if that row begins a segment; otherwise does nothing.
    ///
    /// - Returns: the number of deleted rows.
    func dropAuditRecords(before sequence: Int64) throws(AccountError) -> Int
    /// Counts the events of `limit` records after number `sequence`.
    func auditCounts(after sequence: Int64, limit: Int) throws(AccountError) -> AuditCounts
    /// The number of each event in the records after number `sequence` that are not older than `time`.
    func auditCounts(after sequence: Int64, since time: Timestamp) throws(AccountError) -> [String: Int]
    /// The failures of the current minute in the whole store; nil if none were ever counted.
    var auditFlood: AuditFlood? { get throws(AccountError) }
    /// Stores the failures of the current minute.
    func setAuditFlood(_ flood: AuditFlood) throws(AccountError)
}

/// Reads and writes the records that wait in lanes for their place in the trail: see ``AuditLane``.
///
/// The defaults are those of a store that seals at once.
public protocol LaneRows {
    /// The lane of this transaction; nil if it extends the trail itself.
    var lane: AuditLane? { get throws(AccountError) }
    /// Appends a record to the lane of this transaction.
    ///
    /// - Parameter end: the end of the lane with this record.
    func append(_ record: PendingRecord, to end: AuditLane) throws(AccountError)
    /// Whether records wait, or a lane has a later time than the store's mark.
    var needsSealing: Bool { get throws(AccountError) }
    /// Counts the lanes and the records that wait; nil in a store that seals at once.
    var pendingCounts: PendingCounts? { get throws(AccountError) }
    /// Raises the mark of the clock to the latest time of the lanes.
    func raiseClockMark() throws(AccountError)
    /// Adds the rows of sources, identifiers and unknown names that have had no failure. A transaction that inserts one
    /// conflicts with those that have looked for one near it.
    func addThrottles() throws(AccountError)
    /// The ends of all lanes. A lane that has only records has the number -1.
    var lanes: [AuditLane] { get throws(AccountError) }
    /// The ends up to which the records of the lanes have their place in the trail. Lanes without such records are
    /// missing.
    var sealedLanes: [AuditLane] { get throws(AccountError) }
    /// The first `limit` records of each lane that wait.
    func pendingRecords(limit: Int) throws(AccountError) -> [LaneRecord]
    /// Stores that the records of a lane up to this end have their place in the trail, and deletes them from the lane.
    ///
    /// - Parameter number: that of the end before.
    func setSealed(_ end: AuditLane, after number: Int64) throws(AccountError)
}

extension LaneRows {
    public var lane: AuditLane? { nil }
    public func append(_ record: PendingRecord, to end: AuditLane) throws(AccountError) { throw .store(.readOnly) }
    public var needsSealing: Bool { false }
    public var pendingCounts: PendingCounts? { nil }
    public func raiseClockMark() {}
    public func addThrottles() {}
    public var lanes: [AuditLane] { [] }
    public var sealedLanes: [AuditLane] { [] }
    public func pendingRecords(limit: Int) -> [LaneRecord] { [] }
    public func setSealed(_ end: AuditLane, after number: Int64) {}
}

/// Reads and writes the newest times in the store.
public protocol ClockRows: ExpectedRows {
    /// The newest times in the store.
    var clockMark: ClockMark { get throws(AccountError) }
    /// Stores the newest times.
    func setClockMark(_ mark: ClockMark) throws(AccountError)
    /// The current time of the database server; nil for a store on this machine.
    var serverTime: Timestamp? { get throws(AccountError) }
}

extension AccountRows {
    /// The default implementation stores one account after the other.
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
