import LatchkeyAccounts

extension SQLiteTransaction {
    func insert(_ request: RecoveryRequest) throws(AccountError) {
        try writing { (database) throws(SQLiteError) in
            try database.run(
                """
                INSERT INTO recovery_request (tag, account_id, nobody, created_at, expires_at, new_email, new_email_typed)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                """, .bytes(request.tag.bytes), request.throttle.columns.account, request.throttle.columns.unknownName,
                .time(request.createdAt), .time(request.expiresAt), .text(request.newEmail?.folded),
                .text(request.newEmail?.typed))
        }
    }

    func recoveryRequest(_ tag: RecoveryCodeTag) throws(AccountError) -> RecoveryRequest? {
        try reading { (database) throws(SQLiteError) in
            try database.row(
                """
                SELECT tag, account_id, nobody, created_at, expires_at, new_email, new_email_typed
                    FROM recovery_request
                    WHERE tag = ?1 AND used_at IS NULL
                """, .bytes(tag.bytes), make: request)
        }
    }

    func spendRecoveryCode(_ tag: RecoveryCodeTag, at time: Timestamp) throws(AccountError) -> RecoveryRequest? {
        try writing { (database) throws(SQLiteError) in
            try database.row(
                """
                UPDATE recovery_request SET used_at = ?2 WHERE tag = ?1 AND used_at IS NULL
                    RETURNING tag, account_id, nobody, created_at, expires_at, new_email, new_email_typed
                """, .bytes(tag.bytes), .time(time), make: request)
        }
    }

    func recoveryRequests(in throttle: Throttle, since time: Timestamp) throws(AccountError) -> Int {
        try reading { (database) throws(SQLiteError) in
            let count = try database.integer(
                """
                SELECT count(*) FROM recovery_request
                    WHERE (account_id = ?1 OR nobody = ?2) AND created_at >= ?3 AND new_email IS NULL
                """, throttle.columns.account, throttle.columns.unknownName, .time(time))
            return Int(count ?? 0)
        }
    }

    func emailChanges(of account: AccountID, since time: Timestamp) throws(AccountError) -> Int {
        try reading { (database) throws(SQLiteError) in
            let count = try database.integer(
                """
                SELECT count(*) FROM recovery_request
                    WHERE account_id = ?1 AND created_at >= ?2 AND new_email IS NOT NULL
                """, .id(account), .time(time))
            return Int(count ?? 0)
        }
    }

    func deleteRecoveryRequests(of account: AccountID) throws(AccountError) {
        try writing { (database) throws(SQLiteError) in
            try database.run("DELETE FROM recovery_request WHERE account_id = ?1", .id(account))
        }
    }

    func deleteRecoveryRequests(expiredBefore time: Timestamp) throws(AccountError) {
        try writing { (database) throws(SQLiteError) in
            try database.run("DELETE FROM recovery_request WHERE expires_at < ?1", .time(time))
        }
    }

    private func request(_ row: SQLiteRow) throws(SQLiteError) -> RecoveryRequest {
        RecoveryRequest(
            tag: RecoveryCodeTag(bytes: try row.bytes(0)), throttle: try row.throttle(1), createdAt: try row.time(3),
            expiresAt: try row.time(4),
            newEmail: row.isNull(5) ? nil : EmailAddress(storedAs: try row.text(6), folded: try row.text(5)))
    }
}
