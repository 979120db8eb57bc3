package import LatchkeyAccounts

extension SQLTransaction {
    package func insert(_ passkey: Passkey) throws(AccountError) {
        let credential = passkey.credential
        try writeRow(
            """
            INSERT INTO passkey (credential, account, name, public_key, sign_count, is_backup_eligible, is_backed_up,
                    transports, created_at, last_used_at, tag)
                SELECT ?1, number, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11 FROM account WHERE id = ?2
            """, .bytes(credential.id), .id(passkey.account), .text(passkey.name), .bytes(credential.publicKey),
            .integer(Int64(credential.signCount)), .integer(credential.isBackupEligible ? 1 : 0),
            .integer(credential.isBackedUp ? 1 : 0), .text(credential.transports.joined(separator: " ")),
            .time(passkey.createdAt), .integer(passkey.lastUsedAt?.milliseconds), .tag(passkey))
    }

    package func passkey(_ credentialID: [UInt8]) throws(AccountError) -> Passkey? {
        try row(
            """
            SELECT credential, public_key, sign_count, is_backup_eligible, is_backed_up, transports, id, name,
                    passkey.created_at, last_used_at, tag
                FROM passkey JOIN account ON account.number = account WHERE credential = ?1
            """, .bytes(credentialID), make: passkey)
    }

    package func passkeys(of account: AccountID) throws(AccountError) -> [Passkey] {
        try rows(RowStatement.passkeys, .id(account), make: passkey)
    }

    package func update(_ passkey: Passkey) throws(AccountError) {
        try write(
            """
            UPDATE passkey SET sign_count = ?2, is_backed_up = ?3, last_used_at = ?4, tag = ?5, name = ?6
                WHERE credential = ?1
            """,
            .bytes(passkey.credential.id), .integer(Int64(passkey.credential.signCount)),
            .integer(passkey.credential.isBackedUp ? 1 : 0), .integer(passkey.lastUsedAt?.milliseconds),
            .tag(passkey), .text(passkey.name))
    }

    package func deletePasskey(_ credentialID: [UInt8]) throws(AccountError) -> Bool {
        try run("DELETE FROM passkey WHERE credential = ?1", .bytes(credentialID)) > 0
    }

    package func deletePasskeys(of account: AccountID) throws(AccountError) -> Bool {
        try run(
            "DELETE FROM passkey WHERE account = (SELECT number FROM account WHERE id = ?1)", .id(account)) > 0
    }

    private func passkey(_ row: Engine.Row) throws(Failure) -> Passkey {
        let credential = PasskeyCredential(
            id: try row.bytes(0), publicKey: try row.bytes(1), signCount: UInt32(try row.integer(2, in: .count)),
            isBackupEligible: try row.integer(3, in: .flag) == 1, isBackedUp: try row.integer(4, in: .flag) == 1,
            transports: try row.text(5).split(separator: " ").map { String($0) })
        var passkey = Passkey(
            credential, of: try row.accountID(6), named: try row.text(7), createdAt: try row.time(8),
            lastUsedAt: try row.optionalTime(9))
        passkey.tag = try row.tag(10)
        return passkey
    }
}

// MARK: Challenges

extension SQLTransaction {
    package func insert(_ challenge: PasskeyChallenge) throws(AccountError) -> Bool {
        try run(
            """
            INSERT INTO passkey_challenge (challenge, account, network, expires_at)
                VALUES (?1, (SELECT number FROM account WHERE id = ?2), ?3, ?4) ON CONFLICT DO NOTHING
            """, .bytes(challenge.bytes), .bytes(challenge.account?.bytes), .bytes(challenge.network),
            .time(challenge.expiresAt)) > 0
    }

    package func takePasskeyChallenge(
        _ bytes: [UInt8], of account: AccountID
    ) throws(AccountError) -> PasskeyChallenge? {
        try writing { (database) throws(Failure) in
            try database.row(
                """
                DELETE FROM passkey_challenge
                    WHERE challenge = ?1 AND account = (SELECT number FROM account WHERE id = ?2)
                    RETURNING network, expires_at
                """, .bytes(bytes), .id(account)
            ) { (row) throws(Failure) in
                PasskeyChallenge(bytes: bytes, account: account, network: try row.bytes(0), expiresAt: try row.time(1))
            }
        }
    }

    package func deletePasskeyChallenges(
        of account: AccountID, from network: [UInt8], keeping count: Int
    ) throws(AccountError) {
        try write(
            """
            DELETE FROM passkey_challenge WHERE challenge IN (
                SELECT challenge FROM passkey_challenge
                    WHERE account = (SELECT number FROM account WHERE id = ?1) AND network = ?2
                    ORDER BY expires_at DESC, challenge LIMIT 9223372036854775807 OFFSET ?3)
            """, .id(account), .bytes(network), .integer(Int64(max(count, 0))))
    }

    package func deletePasskeyChallenges(expiredBy time: Timestamp) throws(AccountError) {
        try write("DELETE FROM passkey_challenge WHERE expires_at <= ?1", .time(time))
    }
}
