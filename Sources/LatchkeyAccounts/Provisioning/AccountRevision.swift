import LatchkeyForms

/// What a row of an operator's file makes of the account that there is already.
struct AccountRevision {
    let old: Account
    private(set) var new: Account
    private let row: CheckedAccount
    private var setsPassword = false

    /// All but the password, which has to be hashed first. What `row` does not give stays.
    init(of account: Account, by row: CheckedAccount) {
        self.row = row
        old = account
        new = account
        new.username = row.username
        new.email = row.email
        new.attributes = account.attributes.merging(row.attributes) { $1 }.filter { !$0.value.isEmpty }
        new.state = row.state ?? account.state
    }

    /// Which of the set-up form's fields are other than before; the password is not among them.
    var fields: [FieldKey] { AccountUpdate(from: old, to: new).fields }

    var changesAddress: Bool { new.email != old.email }

    var changesState: Bool { new.state != old.state }

    var isEmpty: Bool {
        fields.isEmpty && !changesState && !setsPassword && new.mustChangePassword == old.mustChangePassword
    }

    /// Demands another password, or no longer does, where the row says so.
    mutating func demandChange() { new.mustChangePassword = row.mustChangePassword ?? old.mustChangePassword }

    /// - Parameters:
    ///   - hash: of the row's plain password, if it has one.
    ///   - seal: of the transaction that stores it.
    mutating func setPassword(
        _ hash: BareHash?, at now: Timestamp, sealedWith seal: Seal?, by service: AccountService
    ) throws(AccountError) {
        setsPassword = true
        let isDemanded: Bool
        if let hash = try row.newHash(hash, for: old.id, sealedWith: seal, by: service) {
            new.setPassword(hash, at: now)
            isDemanded = service.settings.preset.operatorPasswordsMustChange
        } else {
            new.removePassword()
            isDemanded = false
        }
        new.mustChangePassword = row.mustChangePassword ?? isDemanded
    }

    /// Stores the account with all that follows from what is other than before: another password and a disabled account
    /// end sessions, and owners are told of a password and of an address. The record of the whole is the caller's.
    func write(
        at now: Timestamp, _ trail: AuditTrail, by service: AccountService, in transaction: any StoreTransaction
    ) throws(AccountError) {
        var account = new
        account.updatedAt = now
        try transaction.update(account)
        if setsPassword { try service.passwordWasSet(of: account, at: now, trail, in: transaction) }
        if changesAddress {
            let messageIDs = try (service.newMessageID(), service.newMessageID())
            try service.notify(old, ofNewAddress: account.email, messageIDs: messageIDs, at: now, in: transaction)
        }
        if changesState, account.state == .disabled {
            try service.accountWasDisabled(account.id, at: now, trail, in: transaction)
        }
    }
}

extension Account {
    fileprivate mutating func removePassword() {
        passwordHash = nil
        passwordGeneration += 1
        passwordExpiresAt = nil
    }
}
