package import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets

/// The result of importing one row.
package enum ImportVerdict: Equatable, Sendable {
    /// The account was created.
    case created(AccountID)
    /// The existing account was changed.
    case updated(AccountID)
    /// The existing account already matches the row.
    case unchanged(AccountID)
    /// The account exists and was left unchanged.
    case skipped

    /// Whether the store was changed.
    package var isChange: Bool {
        switch self {
        case .created, .updated: true
        case .unchanged, .skipped: false
        }
    }
}

/// Imports rows in one transaction.
struct ImportBatch {
    /// The number of accounts per insert: enough to share a round trip to a database server, and few enough to fit into
    /// the processor's cache.
    private static let insertedTogether = 500

    private let trail: AuditTrail
    private let now: Timestamp
    private let service: AccountService
    private let transaction: any StoreTransaction
    /// The current seal, looked up once for all rows of the batch.
    private let seal: Seal?
    /// The groups of the store, looked up with the first row that names one.
    private var knownGroups: KnownGroups
    /// Whether new accounts must be compared with released usernames.
    private let hasReservedNames: Bool
    /// Ids for the next new accounts.
    private var ids: [AccountID] = []
    /// The groups that new accounts have joined.
    private var joined: Set<GroupName> = []
    private var created = 0
    private var updated = 0

    init(
        by trail: AuditTrail, at now: Timestamp, of service: AccountService, in transaction: any StoreTransaction
    ) throws(AccountError) {
        self.trail = trail
        self.now = now
        self.service = service
        self.transaction = transaction
        knownGroups = KnownGroups()
        seal = try service.seal(in: transaction)
        hasReservedNames = try transaction.hasReservedNames
        try service.removeUnverified(at: now, trail, in: transaction)
    }

    /// Creates or updates the accounts of rows.
    ///
    /// - Parameter hashes: the hashes of the rows' plain passwords, by the index of their row. A row without a
    ///   password, or one to skip, has none.
    mutating func write(
        _ rows: [CheckedAccount], _ hashes: [Int: BareHash], _ choice: ConflictChoice
    ) throws(AccountError) -> [ImportVerdict] {
        var verdicts: [ImportVerdict] = []
        verdicts.reserveCapacity(rows.count)
        for start in stride(from: 0, to: rows.count, by: Self.insertedTogether) {
            let range = start..<min(start + Self.insertedTogether, rows.count)
            try write(rows, range, hashes, choice, &verdicts)
        }
        return verdicts
    }

    private mutating func write(
        _ rows: [CheckedAccount], _ range: Range<Int>, _ hashes: [Int: BareHash], _ choice: ConflictChoice,
        _ verdicts: inout [ImportVerdict]
    ) throws(AccountError) {
        // Most rows are new, so accounts are created first.
        var accounts: [Account] = []
        accounts.reserveCapacity(range.count)
        for index in range where isInserted(rows[index], hashes[index]) {
            accounts.append(try newAccount(rows[index], hashes[index]))
        }
        let taken = try transaction.insert(accounts)
        var inserted = accounts.indices.makeIterator()
        for index in range {
            let row = rows[index]
            guard isInserted(row, hashes[index]), let place = inserted.next() else {
                verdicts.append(row.nameFailure == nil ? .skipped : try change(row, hashes[index], choice))
                continue
            }
            switch (taken[place], choice) {
            case (nil, _): verdicts.append(try created(accounts[place], row))
            case (let field?, .fail): throw .taken(field: field)
            case (_?, .skip): verdicts.append(.skipped)
            case (_?, .update): verdicts.append(try change(row, hashes[index], choice))
            }
        }
    }

    /// Whether the row can be inserted. False if it must belong to an existing account, because it has an unsafe name
    /// or its password was not hashed.
    private func isInserted(_ row: CheckedAccount, _ hash: BareHash?) -> Bool {
        row.nameFailure == nil && (hash != nil || !row.needsHashing)
    }

    /// Updates the account that a row describes.
    private mutating func change(
        _ row: CheckedAccount, _ hash: BareHash?, _ choice: ConflictChoice
    ) throws(AccountError) -> ImportVerdict {
        let match = try AccountMatch(of: row, at: now, hasReservedNames: hasReservedNames, in: transaction)
        switch RowConflict(of: row, match, choice) {
        case .existing where choice == .skip: return .skipped
        case .existing(let account): return try update(account, to: row, hash)
        case .taken(let field): throw .taken(field: field)
        case .unsafeName(let failure), .groups(let failure): throw .refused([failure])
        // An earlier row has changed the account that had this row's address.
        case .new:
            let account = try newAccount(row, hash)
            try transaction.insert(account)
            return try created(account, row)
        }
    }

    /// Writes the audit record of the batch.
    func record() throws(AccountError) {
        guard created + updated > 0 else { return }
        try trail.append(
            .accountsImported, about: nil, reason: .imported(created: created, updated: updated), at: now,
            in: transaction)
        for reason in AuditReason.groups(joined.sorted()) {
            try trail.append(.groupMemberAdded, about: nil, reason: reason, at: now, in: transaction)
        }
    }

    private mutating func newAccount(_ row: CheckedAccount, _ hash: BareHash?) throws(AccountError) -> Account {
        if ids.isEmpty { ids = try service.newAccountIDs(16) }
        return try row.newAccount(ids.removeLast(), hash, at: now, sealedWith: seal, for: trail.actor, by: service)
    }

    private mutating func created(_ account: Account, _ row: CheckedAccount) throws(AccountError) -> ImportVerdict {
        if hasReservedNames { try service.moveName(of: account, from: nil, at: now, in: transaction) }
        if let secret = row.totpSecret {
            try service.storeAuthenticator(secret, of: account.id, at: now, in: transaction)
        }
        if let groups = row.groups, !groups.isEmpty {
            try knownGroups.check(groups, in: transaction)
            try transaction.add(account.id, to: groups)
            joined.formUnion(groups)
        }
        created += 1
        return .created(account.id)
    }

    private mutating func update(
        _ old: Account, to row: CheckedAccount, _ hash: BareHash?
    ) throws(AccountError) -> ImportVerdict {
        var revision = AccountRevision(of: old, by: row)
        if try setsPassword(of: old, row) {
            try revision.setPassword(hash, at: now, sealedWith: seal, by: service)
        } else {
            revision.demandChange()
        }
        let secret = try newSecret(of: old, row)
        let hasOtherGroups = try setGroups(of: old.id, to: row.groups)
        guard !revision.isEmpty || secret != nil || hasOtherGroups else { return .unchanged(old.id) }
        try revision.write(at: now, trail, by: service, in: transaction)
        if let secret {
            try service.replaceAuthenticator(of: revision.new, by: secret, at: now, trail, in: transaction)
        }
        try trail.append(.userUpdated, about: old.id, reason: .byOperator, at: now, in: transaction)
        updated += 1
        return .updated(old.id)
    }

    /// Replaces the groups of an existing account; nil keeps them.
    ///
    /// - Returns: whether they have changed.
    private mutating func setGroups(of account: AccountID, to groups: [GroupName]?) throws(AccountError) -> Bool {
        guard let groups else { return false }
        try knownGroups.check(groups, in: transaction)
        return try service.setGroups(
            of: account, from: try transaction.groups(of: account), to: groups, at: now, trail, in: transaction)
    }

    /// The secret of the row's authenticator app, if the account has a different one or none.
    private func newSecret(of account: Account, _ row: CheckedAccount) throws(AccountError) -> Secret? {
        guard let secret = row.totpSecret else { return nil }
        let stored = try service.authenticatorSecret(of: account.id, in: transaction)
        return stored?.isEqual(to: secret) == true ? nil : secret
    }

    /// Whether the row's password differs from the account's. A plain password is always set, because comparing it
    /// would require a hash.
    private func setsPassword(of account: Account, _ row: CheckedAccount) throws(AccountError) -> Bool {
        switch row.password {
        case .unspecified: return false
        case .none: return account.passwordHash != nil
        case .plain: return true
        case .hash(let new):
            guard case .hash(let stored) = service.opened(account.passwordHash, of: account.id) else { return true }
            return !new.isEqual(to: stored)
        }
    }
}
