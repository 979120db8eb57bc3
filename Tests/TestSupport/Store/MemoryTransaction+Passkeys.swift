import LatchkeyAccounts

extension MemoryTransaction {
    func insert(_ passkey: Passkey) throws(AccountError) {
        try beginWriting(.insertPasskey)
        guard rows.accounts[passkey.account] != nil else { throw .noSuchAccount }
        guard rows.passkeys[passkey.credential.id] == nil else { throw failConstraint() }
        rows.passkeys[passkey.credential.id] = passkey
    }

    func passkey(_ credentialID: [UInt8]) throws(AccountError) -> Passkey? {
        try begin(.passkey)
        return rows.passkeys[credentialID]
    }

    func passkeys(of account: AccountID) throws(AccountError) -> [Passkey] {
        try begin(.passkeys)
        return rows.passkeys.values.filter { $0.account == account }.sorted { left, right in
            left.createdAt != right.createdAt
                ? left.createdAt < right.createdAt
                : left.credential.id.lexicographicallyPrecedes(right.credential.id)
        }
    }

    func update(_ passkey: Passkey) throws(AccountError) {
        try beginWriting(.updatePasskey)
        guard rows.passkeys[passkey.credential.id] != nil else { return }
        rows.passkeys[passkey.credential.id] = passkey
    }

    func deletePasskey(_ credentialID: [UInt8]) throws(AccountError) -> Bool {
        try beginWriting(.deletePasskeys)
        return rows.passkeys.removeValue(forKey: credentialID) != nil
    }

    func deletePasskeys(of account: AccountID) throws(AccountError) -> Bool {
        try beginWriting(.deletePasskeys)
        let before = rows.passkeys.count
        rows.passkeys = rows.passkeys.filter { $0.value.account != account }
        return rows.passkeys.count < before
    }

    func insert(_ challenge: PasskeyChallenge) throws(AccountError) {
        try beginWriting(.insertPasskeyChallenge)
        rows.passkeyChallenges[challenge.bytes] = challenge
    }

    func takePasskeyChallenge(_ bytes: [UInt8]) throws(AccountError) -> PasskeyChallenge? {
        try beginWriting(.takePasskeyChallenge)
        return rows.passkeyChallenges.removeValue(forKey: bytes)
    }

    func deletePasskeyChallenges(expiredBy time: Timestamp, keeping count: Int) throws(AccountError) {
        try beginWriting(.deletePasskeyChallenges)
        let live = rows.passkeyChallenges.values.filter { $0.expiresAt > time }
            .sorted { $0.expiresAt > $1.expiresAt }.prefix(max(count, 0))
        rows.passkeyChallenges = Dictionary(live.map { ($0.bytes, $0) }) { first, _ in first }
    }
}
