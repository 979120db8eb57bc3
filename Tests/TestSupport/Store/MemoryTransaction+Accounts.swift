import LatchkeyAccounts
import LatchkeyForms

extension MemoryTransaction {
    // MARK: Accounts

    var hasAccounts: Bool {
        get throws(AccountError) {
            try begin(.hasAccounts)
            return !rows.accounts.isEmpty
        }
    }

    func account(_ lookup: AccountLookup) throws(AccountError) -> Account? {
        try begin(.account)
        return switch lookup {
        case .id(let id): rows.accounts[id]
        case .username(let name): rows.accounts.values.first { $0.username == name }
        case .email(let address): rows.accounts.values.first { $0.email == address }
        }
    }

    func hasAccount(
        _ username: Username?, _ email: EmailAddress, _ id: AccountID?
    ) throws(AccountError) -> Bool {
        try begin(.account)
        return rows.accounts.values.contains { account in
            account.id == id || account.email == email || (username != nil && account.username == username)
        }
    }

    func insert(_ account: Account) throws(AccountError) {
        try beginWriting(.insertAccount)
        try checkUnique(account)
        guard rows.accounts[account.id] == nil else { throw .taken(field: .accountID) }
        rows.accounts[account.id] = account
    }

    func update(_ account: Account) throws(AccountError) {
        try beginWriting(.updateAccount)
        guard rows.accounts[account.id] != nil else { throw .noSuchAccount }
        try checkUnique(account)
        let lastLoginAt = rows.accounts[account.id]?.lastLoginAt
        rows.accounts[account.id] = account
        rows.accounts[account.id]?.lastLoginAt = lastLoginAt
    }

    func noteLogin(of account: AccountID, at time: Timestamp) throws(AccountError) {
        try beginWriting(.noteLogin)
        rows.accounts[account]?.lastLoginAt = time
    }

    private func checkUnique(_ account: Account) throws(AccountError) {
        for other in rows.accounts.values where other.id != account.id {
            if let name = account.username, other.username == name { throw .taken(field: .username) }
            if other.email == account.email { throw .taken(field: .email) }
        }
    }

    func deleteAccount(_ id: AccountID) throws(AccountError) -> Bool {
        try beginWriting(.deleteAccount)
        rows.sessions = rows.sessions.filter { $0.value.account != id }
        rows.devices = rows.devices.filter { $0.value.account != id }
        rows.authenticators[id] = nil
        rows.memberships[id] = nil
        rows.savedCodes = rows.savedCodes.filter { $0.value != id }
        rows.failures[.codes(id)] = nil
        rows.appPasswords = rows.appPasswords.filter { $0.value.account != id }
        rows.passkeys = rows.passkeys.filter { $0.value.account != id }
        rows.passkeyChallenges = rows.passkeyChallenges.filter { $0.value.account != id }
        rows.pendingLogins = rows.pendingLogins.filter { $0.value.account != id }
        rows.recovery = rows.recovery.filter { $0.value.request.throttle != .account(id) }
        rows.failures[.account(id)] = nil
        rows.consents[id] = nil
        removeGrants { $0.account == id }
        return rows.accounts.removeValue(forKey: id) != nil
    }

    func unverifiedAccounts(expiredBy time: Timestamp, limit: Int) throws(AccountError) -> [AccountID] {
        try begin(.unverifiedAccounts)
        let expired = rows.accounts.values.filter { account in account.verifyBy.map { $0 <= time } ?? false }
        return expired.map(\.id).sorted { $0.text < $1.text }.prefix(max(limit, 0)).map { $0 }
    }

    func accounts(
        matching filter: AccountFilter, after name: LoginName?, limit: Int
    ) throws(AccountError) -> AccountPage {
        try begin(.accounts)
        let rest = rows.accounts.values.filter { account in
            (name.map { $0 < account.loginName } ?? true)
                && (filter.group.map { names(of: account.id).contains($0) } ?? true)
                && (!filter.isBeginning || filter.begins(account))
        }
        let page = rest.sorted { $0.loginName < $1.loginName }.prefix(max(limit, 0))
        let withFactor = Set(rows.authenticators.filter(\.value.isConfirmed).keys).union(
            rows.passkeys.values.map(\.account))
        let found = page.filter { filter.admits($0) && !(filter.hasNoFactor && withFactor.contains($0.id)) }
        return AccountPage(accounts: found, last: page.last?.loginName)
    }

    // MARK: Hashes

    func replaceHash(
        of account: AccountID, _ old: PasswordHash, by new: PasswordHash
    ) throws(AccountError) -> Bool {
        try beginWriting(.replaceHash)
        guard let stored = rows.accounts[account]?.passwordHash, stored.phc == old.phc else { return false }
        rows.accounts[account]?.passwordHash = new
        return true
    }

    var hashCosts: ClosedRange<Int>? {
        get throws(AccountError) {
            try begin(.hashCosts)
            let costs = rows.accounts.values.compactMap { $0.passwordHash?.milliseconds }
            guard let least = costs.min(), let most = costs.max() else { return nil }
            return least...most
        }
    }

    func hashes(
        notSealedWith key: SealingKeyID?, after account: AccountID?, limit: Int
    ) throws(AccountError) -> [StoredHashRow] {
        try begin(.hashes)
        let rest = hashes.filter {
            $0.account.text > account?.text ?? "" && (key == nil || sealingKey(of: $0.hash) != key)
        }
        return Array(rest.sorted { $0.account.text < $1.account.text }.prefix(max(limit, 0)))
    }

    var usedSealingKeys: [SealingKeyID] {
        get throws(AccountError) {
            try begin(.usedSealingKeys)
            return Array(Set(hashes.compactMap { sealingKey(of: $0.hash) }))
        }
    }

    var hashCounts: [SealingKeyID?: Int] {
        get throws(AccountError) {
            try begin(.hashCounts)
            return Dictionary(hashes.map { (sealingKey(of: $0.hash), 1) }) { $0 + $1 }
        }
    }

    var sealingKeys: [SealingKeyRecord] {
        get throws(AccountError) {
            try begin(.sealingKeys)
            return rows.sealingKeys
        }
    }

    func insert(_ key: SealingKeyRecord) throws(AccountError) {
        try beginWriting(.insertSealingKey)
        guard !rows.sealingKeys.contains(where: { $0.id == key.id }) else { throw failConstraint() }
        rows.sealingKeys.append(key)
    }

    func deleteSealingKey(_ id: SealingKeyID) throws(AccountError) {
        try beginWriting(.deleteSealingKey)
        rows.sealingKeys.removeAll { $0.id == id }
    }

    private var hashes: [StoredHashRow] {
        rows.accounts.values.compactMap { account in
            account.passwordHash.map { StoredHashRow(account: account.id, hash: $0) }
        }
    }

    private func sealingKey(of hash: PasswordHash) -> SealingKeyID? {
        let prefix = "$sealed$v=1,k="
        return hash.phc.hasPrefix(prefix) ? SealingKeyID(String(hash.phc.dropFirst(prefix.count).prefix(16))) : nil
    }
}

extension AccountFilter {
    fileprivate func admits(_ account: Account) -> Bool {
        let isInState =
            switch state {
            case nil: true
            case .active: account.verifyBy == nil && account.state == .active
            case .disabled: account.verifyBy == nil && account.state == .disabled
            case .unverified: account.verifyBy != nil
            case .mustChange: account.mustChangePassword
            // The service selects those that must wait.
            case .locked: true
            }
        guard isInState, let partOfName, let partOfAddress else { return isInState }
        guard !isBeginning else { return begins(account) }
        return Self.has(account.loginName.text, partOfName) || Self.has(account.email.folded, partOfAddress)
    }

    /// Whether the name or the address begins with the text.
    fileprivate func begins(_ account: Account) -> Bool {
        account.loginName.text.utf8.starts(with: (partOfName ?? "").utf8)
            || account.email.folded.utf8.starts(with: (partOfAddress ?? "").utf8)
    }

    /// Compares bytes.
    private static func has(_ text: String, _ part: String) -> Bool {
        let (text, part) = (Array(text.utf8), Array(part.utf8))
        guard part.count <= text.count else { return false }
        return (0...(text.count - part.count)).contains { text[$0...].starts(with: part) }
    }
}
