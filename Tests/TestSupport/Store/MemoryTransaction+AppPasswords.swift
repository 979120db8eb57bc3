import LatchkeyAccounts

extension MemoryTransaction {
    func insert(_ password: AppPassword) throws(AccountError) {
        try beginWriting(.insertAppPassword)
        guard rows.accounts[password.account] != nil else { throw .noSuchAccount }
        guard rows.appPasswords[password.tag] == nil else { throw failConstraint() }
        rows.appPasswords[password.tag] = password
    }

    func appPassword(_ tag: [UInt8]) throws(AccountError) -> AppPassword? {
        try begin(.appPassword)
        return rows.appPasswords[tag]
    }

    func appPasswords(of account: AccountID) throws(AccountError) -> [AppPassword] {
        try begin(.appPasswords)
        return rows.appPasswords.values.filter { $0.account == account }.sorted { left, right in
            left.createdAt != right.createdAt
                ? left.createdAt < right.createdAt : left.tag.lexicographicallyPrecedes(right.tag)
        }
    }

    func touchAppPassword(_ tag: [UInt8], at time: Timestamp) throws(AccountError) {
        try beginWriting(.touchAppPassword)
        guard let old = rows.appPasswords[tag] else { return }
        rows.appPasswords[tag] = AppPassword(
            tag: tag, account: old.account, name: old.name, createdAt: old.createdAt, lastUsedAt: time)
    }

    func deleteAppPassword(_ tag: [UInt8]) throws(AccountError) -> Bool {
        try beginWriting(.deleteAppPasswords)
        return rows.appPasswords.removeValue(forKey: tag) != nil
    }

    func deleteAppPasswords(of account: AccountID) throws(AccountError) {
        try beginWriting(.deleteAppPasswords)
        rows.appPasswords = rows.appPasswords.filter { $0.value.account != account }
    }
}
