import LatchkeyAccounts

extension SQLiteTransaction {
    var auditHead: AuditHead? {
        get throws(AccountError) {
            try reading { (database) throws(SQLiteError) in
                try database.row("SELECT sequence, hash FROM audit ORDER BY sequence DESC LIMIT 1") {
                    (row) throws(SQLiteError) in AuditHead(sequence: try row.integer(0), hash: try row.bytes(1))
                }
            }
        }
    }

    func append(_ record: AuditRecord, hash: [UInt8]) throws(AccountError) {
        let user: Int64? =
            switch record.actor {
            case .owner: nil
            case .operatingSystemUser(let number): Int64(number)
            }
        try writing { (database) throws(SQLiteError) in
            try database.run(
                """
                INSERT INTO audit (sequence, time, event, account_id, actor_uid, request_id, reason, hash)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                """, .integer(record.sequence), .time(record.time), .text(record.event.rawValue),
                .text(record.account?.text), .integer(user), .text(record.requestID), .text(record.reason),
                .bytes(hash))
        }
    }

    func auditRecords(
        after sequence: Int64, limit: Int
    ) throws(AccountError) -> [(record: AuditRecord, hash: [UInt8])] {
        try reading { (database) throws(SQLiteError) in
            try database.rows(
                """
                SELECT sequence, time, event, account_id, actor_uid, request_id, reason, hash FROM audit
                    WHERE sequence > ?1 ORDER BY sequence LIMIT ?2
                """, .integer(sequence), .integer(Int64(max(limit, 0))), make: record)
        }
    }

    private func record(_ row: SQLiteRow) throws(SQLiteError) -> (record: AuditRecord, hash: [UInt8]) {
        let actor: AuditActor
        if row.isNull(4) {
            actor = .owner
        } else {
            guard let number = UInt32(exactly: try row.integer(4)) else { throw .corrupt }
            actor = .operatingSystemUser(number)
        }
        let record = AuditRecord(
            sequence: try row.integer(0), time: try row.time(1), event: AuditEvent(rawValue: try row.text(2)),
            account: row.isNull(3) ? nil : try row.accountID(3), actor: actor, requestID: try row.text(5),
            reason: try row.text(6))
        return (record, try row.bytes(7))
    }
}
