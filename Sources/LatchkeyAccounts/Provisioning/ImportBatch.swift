import LatchkeyForms

/// The rows of one transaction of an import.
struct ImportBatch {
    private let trail: AuditTrail
    private let now: Timestamp
    private let service: AccountService
    private let transaction: any StoreTransaction
    /// Looked up once: a million rows are sealed with one key.
    private let seal: Seal?
    private var created = 0
    private var updated = 0

    init(
        by trail: AuditTrail, at now: Timestamp, of service: AccountService, in transaction: any StoreTransaction
    ) throws(AccountError) {
        self.trail = trail
        self.now = now
        self.service = service
        self.transaction = transaction
        seal = try service.seal(in: transaction)
        try service.removeUnverified(at: now, trail, in: transaction)
    }

    /// - Parameter hash: of the row's plain password, if it has one that was hashed.
    mutating func take(
        _ row: CheckedAccount, _ hash: BareHash?, _ choice: ConflictChoice
    ) throws(AccountError) -> ImportVerdict {
        // Nothing was hashed for what was there a moment ago.
        if row.needsHashing, hash == nil { return .skipped }
        do throws(AccountError) {
            return try create(row, hash)
        } catch .taken(let field) {
            switch choice {
            case .fail: throw .taken(field: field)
            case .skip: return .skipped
            case .update: break
            }
        }
        switch try Standing(of: row, .update, at: now, in: transaction) {
        case .existing(let account): return try update(account, to: row, hash)
        case .refused(let field): throw .taken(field: field)
        // Nobody else can write meanwhile, and two rows of one batch never meet.
        case .new: throw .taken(field: .username)
        }
    }

    /// Writes the record of what was made.
    func record() throws(AccountError) {
        guard created + updated > 0 else { return }
        try trail.append(
            .accountsImported, about: nil, reason: .imported(created: created, updated: updated), at: now,
            in: transaction)
    }

    private mutating func create(_ row: CheckedAccount, _ hash: BareHash?) throws(AccountError) -> ImportVerdict {
        let account = try row.newAccount(hash, at: now, sealedWith: seal, by: service)
        try transaction.insert(account)
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
        guard !revision.isEmpty else { return .unchanged(old.id) }
        try revision.write(at: now, trail, by: service, in: transaction)
        try trail.append(.userUpdated, about: old.id, reason: .byOperator, at: now, in: transaction)
        updated += 1
        return .updated(old.id)
    }

    /// Whether the row has another password than the account. Of a plain one that cannot be told without hashing it, and
    /// it was given to be set.
    private func setsPassword(of account: Account, _ row: CheckedAccount) throws(AccountError) -> Bool {
        switch row.password {
        case .unsaid: return false
        case .none: return account.passwordHash != nil
        case .plain: return true
        case .hash(let new):
            guard case .hash(let stored) = service.opened(account.passwordHash, of: account.id) else { return true }
            return !new.isEqual(to: stored)
        }
    }
}
