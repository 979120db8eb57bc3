import LatchkeyAccounts

extension SQLiteTransaction {
    func replaceHash(
        of account: AccountID, _ old: PasswordHash, by new: PasswordHash
    ) throws(AccountError) -> Bool {
        try writing { (database) throws(SQLiteError) in
            try database.run(
                "UPDATE account SET password_hash = ?3, hash_milliseconds = ?4 WHERE id = ?1 AND password_hash = ?2",
                .id(account), .text(old.phc), .text(new.phc), .cost(new.milliseconds)) > 0
        }
    }

    var slowestHash: Int {
        get throws(AccountError) {
            try reading { (database) throws(SQLiteError) in
                try database.row("SELECT hash_milliseconds FROM account ORDER BY hash_milliseconds DESC LIMIT 1") {
                    (row) throws(SQLiteError) in try row.cost(0)
                } ?? 0
            }
        }
    }

    func hashes(
        notSealedWith key: SealingKeyID?, after account: AccountID?, limit: Int
    ) throws(AccountError) -> [StoredHashRow] {
        try reading { (database) throws(SQLiteError) in
            try database.rows(
                """
                SELECT id, password_hash, hash_milliseconds FROM account
                WHERE id > ?1 AND password_hash IS NOT NULL AND (?2 IS NULL OR sealing_key IS NOT ?2)
                ORDER BY id LIMIT ?3
                """, .text(account?.text ?? ""), .text(key?.text), .integer(Int64(max(limit, 0)))
            ) { (row) throws(SQLiteError) in
                StoredHashRow(
                    account: try row.accountID(0),
                    hash: PasswordHash(phc: try row.text(1), milliseconds: try row.cost(2)))
            }
        }
    }

    var usedSealingKeys: [SealingKeyID] {
        get throws(AccountError) {
            try reading { (database) throws(SQLiteError) in
                // Jumps from key to key in the index: as many steps as there are keys, however many accounts.
                let texts = try database.rows(
                    """
                    WITH RECURSIVE used (id) AS (
                        SELECT min(sealing_key) FROM account
                        UNION ALL
                        SELECT (SELECT min(sealing_key) FROM account WHERE sealing_key > used.id)
                        FROM used WHERE used.id IS NOT NULL
                    )
                    SELECT id FROM used WHERE id IS NOT NULL
                    """
                ) { (row) throws(SQLiteError) in try row.text(0) }
                // A malformed ID has no key, and no login finds one.
                return texts.compactMap { SealingKeyID($0) }
            }
        }
    }

    var hashCounts: [SealingKeyID?: Int] {
        get throws(AccountError) {
            try reading { (database) throws(SQLiteError) in
                let counts = try database.rows(
                    """
                    SELECT sealing_key, count(*) FROM account WHERE password_hash IS NOT NULL GROUP BY sealing_key
                    """
                ) { (row) throws(SQLiteError) in
                    (try row.optionalText(0).flatMap { SealingKeyID($0) }, Int(clamping: try row.integer(1)))
                }
                return Dictionary(counts) { $0 + $1 }
            }
        }
    }

    var sealingKeys: [SealingKeyRecord] {
        get throws(AccountError) {
            try reading { (database) throws(SQLiteError) in
                try database.rows("SELECT id, created_at FROM sealing_key ORDER BY number") {
                    (row) throws(SQLiteError) in
                    guard let id = SealingKeyID(try row.text(0)) else { throw .corrupt }
                    return SealingKeyRecord(id: id, createdAt: try row.time(1))
                }
            }
        }
    }

    func insert(_ key: SealingKeyRecord) throws(AccountError) {
        try writing { (database) throws(SQLiteError) in
            try database.run(
                "INSERT INTO sealing_key (id, created_at) VALUES (?1, ?2)", .text(key.id.text), .time(key.createdAt))
        }
    }

    func deleteSealingKey(_ id: SealingKeyID) throws(AccountError) {
        try writing { (database) throws(SQLiteError) in
            try database.run("DELETE FROM sealing_key WHERE id = ?1", .text(id.text))
        }
    }
}
