import LatchkeyAccounts

extension MemoryTransaction {
    func authenticator(of account: AccountID) throws(AccountError) -> Authenticator? {
        try begin(.authenticator)
        return rows.authenticators[account]
    }

    func setAuthenticator(_ authenticator: Authenticator, of account: AccountID) throws(AccountError) {
        try beginWriting(.setAuthenticator)
        guard rows.accounts[account] != nil else { throw .noSuchAccount }
        rows.authenticators[account] = authenticator
    }

    func deleteAuthenticator(of account: AccountID) throws(AccountError) -> Bool {
        try beginWriting(.deleteFactors)
        return rows.authenticators.removeValue(forKey: account) != nil
    }

    func deleteFactors(of account: AccountID) throws(AccountError) -> Bool {
        try beginWriting(.deleteFactors)
        rows.savedCodes = rows.savedCodes.filter { $0.value != account }
        rows.failures[.codes(account)] = nil
        return rows.authenticators.removeValue(forKey: account) != nil
    }

    func authenticators(
        notSealedWith key: SealingKeyID, after account: AccountID?, limit: Int
    ) throws(AccountError) -> [(account: AccountID, authenticator: Authenticator)] {
        try begin(.authenticators)
        return rows.authenticators.filter { id, authenticator in
            authenticator.secret.key != key && account.map { $0.text < id.text } ?? true
        }.sorted { $0.key.text < $1.key.text }.prefix(max(limit, 0)).map { (account: $0.key, authenticator: $0.value) }
    }

    var authenticatorCounts: [SealingKeyID?: Int] {
        get throws(AccountError) {
            try begin(.authenticators)
            return Dictionary(rows.authenticators.values.map { ($0.secret.key, 1) }, uniquingKeysWith: +)
        }
    }

    func savedCodes(of account: AccountID) throws(AccountError) -> Int {
        try begin(.savedCodes)
        return rows.savedCodes.values.count { $0 == account }
    }

    func setSavedCodes(_ tags: [RecoveryCodeTag], of account: AccountID) throws(AccountError) {
        try beginWriting(.setSavedCodes)
        rows.savedCodes = rows.savedCodes.filter { $0.value != account }
        guard rows.accounts[account] != nil else { return }
        for tag in tags { rows.savedCodes[tag] = account }
    }

    func spendSavedCode(_ tag: RecoveryCodeTag, of account: AccountID) throws(AccountError) -> Bool {
        try beginWriting(.spendSavedCode)
        guard rows.savedCodes[tag] == account else { return false }
        rows.savedCodes[tag] = nil
        return true
    }

    func insert(_ pending: PendingLogin) throws(AccountError) {
        try beginWriting(.insertPendingLogin)
        guard rows.accounts[pending.account] != nil else { throw .noSuchAccount }
        guard rows.pendingLogins[pending.digest] == nil else { throw failConstraint() }
        rows.pendingLogins[pending.digest] = pending
    }

    func pendingLogin(_ digest: [UInt8]) throws(AccountError) -> PendingLogin? {
        try begin(.pendingLogin)
        return rows.pendingLogins[digest]
    }

    func deletePendingLogin(_ digest: [UInt8]) throws(AccountError) {
        try beginWriting(.deletePendingLogins)
        rows.pendingLogins[digest] = nil
    }

    func deletePendingLogins(of account: AccountID) throws(AccountError) {
        try beginWriting(.deletePendingLogins)
        rows.pendingLogins = rows.pendingLogins.filter { $0.value.account != account }
    }

    func deletePendingLogins(
        of account: AccountID, from network: [UInt8], keeping count: Int
    ) throws(AccountError) {
        try beginWriting(.deletePendingLogins)
        let own = rows.pendingLogins.values.filter { $0.account == account && $0.network == network }
            .sorted { left, right in
                left.createdAt != right.createdAt
                    ? left.createdAt > right.createdAt : left.digest.lexicographicallyPrecedes(right.digest)
            }
        for login in own.dropFirst(max(count, 0)) { rows.pendingLogins[login.digest] = nil }
    }

    func deletePendingLogins(expiredBy time: Timestamp) throws(AccountError) {
        try beginWriting(.deletePendingLogins)
        rows.pendingLogins = rows.pendingLogins.filter { $0.value.expiresAt > time }
    }
}
