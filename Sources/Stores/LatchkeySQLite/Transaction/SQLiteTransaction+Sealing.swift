import LatchkeyAccounts

extension SQLiteTransaction {
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
