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
        var account = old
        account.username = row.username
        account.email = row.email
        account.attributes = old.attributes.merging(row.attributes) { $1 }.filter { !$0.value.isEmpty }
        account.state = row.state ?? old.state
        if try setsPassword(of: old, row) {
            let isSet: Bool
            if let new = try row.newHash(hash, for: old.id, sealedWith: seal, by: service) {
                account.setPassword(new, at: now)
                isSet = true
            } else {
                account.removePassword()
                isSet = false
            }
            account.mustChangePassword =
                row.mustChangePassword ?? (isSet && service.settings.preset.operatorPasswordsMustChange)
            account.updatedAt = now
            try transaction.update(account)
            try service.passwordWasSet(of: account, at: now, trail, in: transaction)
        } else {
            account.mustChangePassword = row.mustChangePassword ?? old.mustChangePassword
            guard account.differs(from: old) else { return .unchanged(old.id) }
            account.updatedAt = now
            try transaction.update(account)
        }
        if account.email != old.email {
            let messageIDs = try (service.newMessageID(), service.newMessageID())
            try service.tell(old, ofNewAddress: account.email, messageIDs: messageIDs, at: now, in: transaction)
        }
        if account.state == .disabled, old.state == .active {
            try service.endAllSessions(of: account.id, at: now, trail, in: transaction)
            try transaction.deleteRecoveryRequests(of: account.id)
        }
        try trail.append(.userUpdated, about: account.id, reason: .byOperator, at: now, in: transaction)
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

extension Account {
    fileprivate mutating func removePassword() {
        passwordHash = nil
        passwordGeneration += 1
        passwordExpiresAt = nil
    }

    /// By bytes: two spellings of an accented letter are one `String`.
    fileprivate func differs(from old: Account) -> Bool {
        func isSame(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }
        let keepsAttributes =
            attributes.count == old.attributes.count
            && attributes.allSatisfy { key, value in old.attributes[key].map { isSame($0, value) } ?? false }
        return !isSame(username.typed, old.username.typed) || !isSame(email.typed, old.email.typed)
            || !keepsAttributes || state != old.state || mustChangePassword != old.mustChangePassword
    }
}
