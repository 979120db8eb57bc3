package import LatchkeyAccounts

extension SQLTransaction {
    package var sealingKeys: [SealingKeyRecord] {
        get throws(AccountError) {
            try rows("SELECT id, created_at FROM sealing_key ORDER BY number") {
                (row) throws(Failure) in
                guard let id = SealingKeyID(try row.text(0)) else { throw .corrupt }
                return SealingKeyRecord(id: id, createdAt: try row.time(1))
            }
        }
    }

    package func insert(_ key: SealingKeyRecord) throws(AccountError) {
        try write(
            "INSERT INTO sealing_key (id, created_at) VALUES (?1, ?2)", .text(key.id.text), .time(key.createdAt))
    }

    package func deleteSealingKey(_ id: SealingKeyID) throws(AccountError) {
        try write("DELETE FROM sealing_key WHERE id = ?1", .text(id.text))
    }
}
