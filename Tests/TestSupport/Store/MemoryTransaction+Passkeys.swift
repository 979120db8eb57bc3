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

    func insert(_ challenge: PasskeyChallenge) throws(AccountError) -> Bool {
        try beginWriting(.insertPasskeyChallenge)
        guard rows.passkeyChallenges[challenge.bytes] == nil else { return false }
        rows.passkeyChallenges[challenge.bytes] = challenge
        return true
    }

    func takePasskeyChallenge(
        _ bytes: [UInt8], of account: AccountID
    ) throws(AccountError) -> PasskeyChallenge? {
        try beginWriting(.takePasskeyChallenge)
        guard rows.passkeyChallenges[bytes]?.account == account else { return nil }
        return rows.passkeyChallenges.removeValue(forKey: bytes)
    }

    func deletePasskeyChallenges(
        of account: AccountID, from network: [UInt8], keeping count: Int
    ) throws(AccountError) {
        try beginWriting(.deletePasskeyChallenges)
        let own = rows.passkeyChallenges.values.filter { $0.account == account && $0.network == network }
            .sorted { left, right in
                left.expiresAt != right.expiresAt
                    ? left.expiresAt > right.expiresAt : left.bytes.lexicographicallyPrecedes(right.bytes)
            }
        for challenge in own.dropFirst(max(count, 0)) { rows.passkeyChallenges[challenge.bytes] = nil }
    }

    func deletePasskeyChallenges(expiredBy time: Timestamp) throws(AccountError) {
        try beginWriting(.deletePasskeyChallenges)
        rows.passkeyChallenges = rows.passkeyChallenges.filter { $0.value.expiresAt > time }
    }
}
