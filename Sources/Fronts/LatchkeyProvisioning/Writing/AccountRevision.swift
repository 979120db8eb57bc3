import LatchkeyAccounts
import LatchkeyForms

/// An existing account before and after applying a row of an operator's file.
struct AccountRevision {
    let old: Account
    private(set) var new: Account
    private let row: CheckedAccount
    private var setsPassword = false

    /// Applies everything except the password, which must be hashed first. Values that are missing in `row` do not
    /// change.
    init(of account: Account, by row: CheckedAccount) {
        self.row = row
        old = account
        new = account
        if row.username != nil || row.removesUsername { new.username = row.username }
        new.email = row.email
        new.attributes = account.attributes.merging(row.attributes) { $1 }.filter { !$0.value.isEmpty }
        new.state = row.state ?? account.state
    }

    /// The changed fields of the sign-up form, without the password.
    var fields: [FieldKey] { AccountUpdate(from: old, to: new).fields }

    var changesAddress: Bool { new.email != old.email }

    var changesState: Bool { new.state != old.state }

    var isEmpty: Bool {
        fields.isEmpty && !changesState && !setsPassword && new.mustChangePassword == old.mustChangePassword
    }

    /// Sets or clears the required password change if the row has a value for it.
    mutating func demandChange() { new.mustChangePassword = row.mustChangePassword ?? old.mustChangePassword }

    /// Sets or removes the password.
    ///
    /// - Parameters:
    ///   - hash: the hash of the row's plain password, if it has one.
    ///   - seal: the current seal, read in the transaction that stores the account.
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

    /// Stores the account with all consequences. A new password or a disabled account ends sessions, and the owner is
    /// notified of a new password or address. The caller writes the audit record of the update.
    func write(
        at now: Timestamp, _ trail: AuditTrail, by service: AccountService, in transaction: any StoreTransaction
    ) throws(AccountError) {
        var account = new
        account.updatedAt = now
        account.vouchForLoginName(at: now)
        try service.moveName(of: account, from: old.username, at: now, in: transaction)
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
