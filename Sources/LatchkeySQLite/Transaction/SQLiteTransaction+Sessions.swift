import LatchkeyAccounts

extension SQLiteTransaction {
    func insert(_ session: Session) throws(AccountError) {
        try writing { (database) throws(SQLiteError) in
            try database.run(
                """
                INSERT INTO session (digest, account_id, scope, created_at, last_used_at, source)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                """, .bytes(session.digest.bytes), .id(session.account), .text(session.scope.rawValue),
                .time(session.createdAt), .time(session.lastUsedAt), .text(session.source))
        }
    }

    func session(_ digest: SessionDigest) throws(AccountError) -> Session? {
        try reading { (database) throws(SQLiteError) in
            try database.row(
                "SELECT digest, account_id, scope, created_at, last_used_at, source FROM session WHERE digest = ?1",
                .bytes(digest.bytes), make: session)
        }
    }

    func sessions(of account: AccountID) throws(AccountError) -> [Session] {
        try reading { (database) throws(SQLiteError) in
            try database.rows(
                """
                SELECT digest, account_id, scope, created_at, last_used_at, source FROM session WHERE account_id = ?1
                    ORDER BY last_used_at, digest
                """, .id(account), make: session)
        }
    }

    func sessions(
        createdBy created: Timestamp, orUsedBy used: Timestamp, limit: Int
    ) throws(AccountError) -> [Session] {
        try reading { (database) throws(SQLiteError) in
            try database.rows(
                """
                SELECT digest, account_id, scope, created_at, last_used_at, source FROM session
                    WHERE created_at <= ?1 OR last_used_at <= ?2 ORDER BY last_used_at, digest LIMIT ?3
                """, .time(created), .time(used), .integer(Int64(max(limit, 0))), make: session)
        }
    }

    func touchSession(_ digest: SessionDigest, at time: Timestamp) throws(AccountError) {
        try writing { (database) throws(SQLiteError) in
            try database.run(
                "UPDATE session SET last_used_at = ?2 WHERE digest = ?1", .bytes(digest.bytes), .time(time))
        }
    }

    func deleteSession(_ digest: SessionDigest) throws(AccountError) -> Bool {
        try writing { (database) throws(SQLiteError) in
            try database.run("DELETE FROM session WHERE digest = ?1", .bytes(digest.bytes)) > 0
        }
    }

    func deleteSessions(of account: AccountID) throws(AccountError) -> Int {
        try writing { (database) throws(SQLiteError) in
            try database.run("DELETE FROM session WHERE account_id = ?1", .id(account))
        }
    }

    private func session(_ row: SQLiteRow) throws(SQLiteError) -> Session {
        Session(
            digest: SessionDigest(bytes: try row.bytes(0)), account: try row.accountID(1),
            scope: try row.value(2, of: Session.Scope.self), createdAt: try row.time(3), lastUsedAt: try row.time(4),
            source: try row.text(5))
    }

    func deleteSessions(createdBy creation: Timestamp, lastUsedBy use: Timestamp) throws(AccountError) -> Int {
        try writing { (database) throws(SQLiteError) in
            try database.run(
                "DELETE FROM session WHERE created_at <= ?1 OR last_used_at <= ?2", .time(creation), .time(use))
        }
    }
}
