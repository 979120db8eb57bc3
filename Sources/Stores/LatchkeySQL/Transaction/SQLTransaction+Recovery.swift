package import LatchkeyAccounts

extension SQLTransaction {
    package func insert(_ request: RecoveryRequest) throws(AccountError) {
        let (account, unknownName) = columns(of: request.throttle)
        try writeRow(
            """
            INSERT INTO recovery_request (tag, account, unknown_name, created_at, expires_at, new_email,
                    new_email_typed, sign_up)
                SELECT ?1, number, ?3, ?4, ?5, ?6, ?7, (SELECT number FROM sign_up WHERE id = ?8)
                FROM (SELECT number FROM account WHERE id = ?2 UNION ALL SELECT NULL WHERE CAST(?2 AS uuid) IS NULL) AS owner
            """, .bytes(request.tag.bytes), account, unknownName, .time(request.createdAt),
            .time(request.expiresAt), .text(request.newEmail?.folded), .text(request.newEmail?.typed),
            .bytes(request.signUp?.bytes))
    }

    package func recoveryRequest(_ tag: RecoveryCodeTag) throws(AccountError) -> RecoveryRequest? {
        try row(
            """
            SELECT tag, account.id, unknown_name, recovery_request.created_at, recovery_request.expires_at, new_email,
                    new_email_typed, sign_up.id
                FROM recovery_request LEFT JOIN account ON account.number = account
                    LEFT JOIN sign_up ON sign_up.number = sign_up
                WHERE tag = ?1 AND used_at IS NULL
            """, .bytes(tag.bytes), make: recoveryRequest)
    }

    package func spendRecoveryCode(_ tag: RecoveryCodeTag, at time: Timestamp) throws(AccountError) -> RecoveryRequest?
    {
        try writing { (database) throws(Failure) in
            try database.row(
                """
                UPDATE recovery_request SET used_at = ?2 WHERE tag = ?1 AND used_at IS NULL
                    RETURNING tag, (SELECT id FROM account WHERE account.number = recovery_request.account), unknown_name,
                        created_at, expires_at, new_email, new_email_typed,
                        (SELECT id FROM sign_up WHERE sign_up.number = recovery_request.sign_up)
                """, .bytes(tag.bytes), .time(time), make: recoveryRequest)
        }
    }

    private func recoveryRequest(_ row: Engine.Row) throws(Failure) -> RecoveryRequest {
        RecoveryRequest(
            tag: RecoveryCodeTag(bytes: try row.bytes(0)), throttle: try row.throttle(1),
            createdAt: try row.time(3), expiresAt: try row.time(4),
            newEmail: row.isNull(5) ? nil : EmailAddress(storedAs: try row.text(6), folded: try row.text(5)),
            signUp: row.isNull(7) ? nil : try row.accountID(7))
    }

    package func recoveryRequests(in throttle: Throttle, since time: Timestamp) throws(AccountError) -> Int {
        try reading { (database) throws(Failure) in
            let count = try database.integer(
                """
                SELECT count(*) FROM recovery_request
                    WHERE (account = (SELECT number FROM account WHERE id = ?1) OR unknown_name = ?2) AND created_at >= ?3 AND new_email IS NULL
                """, columns(of: throttle).account, columns(of: throttle).unknownName, .time(time))
            return Int(count ?? 0)
        }
    }

    package func emailChanges(of account: AccountID, since time: Timestamp) throws(AccountError) -> Int {
        try reading { (database) throws(Failure) in
            let count = try database.integer(
                """
                SELECT count(*) FROM recovery_request
                    WHERE account = (SELECT number FROM account WHERE id = ?1) AND created_at >= ?2 AND new_email IS NOT NULL
                """, .id(account), .time(time))
            return Int(count ?? 0)
        }
    }

    package func waitingAddress(of account: AccountID, at time: Timestamp) throws(AccountError) -> EmailAddress? {
        try row(
            """
            SELECT new_email_typed, new_email FROM recovery_request
                WHERE account = (SELECT number FROM account WHERE id = ?1) AND new_email IS NOT NULL
                    AND used_at IS NULL AND expires_at > ?2
                ORDER BY created_at DESC, tag LIMIT 1
            """, .id(account), .time(time)
        ) { (row) throws(Failure) in EmailAddress(storedAs: try row.text(0), folded: try row.text(1)) }
    }

    package func cancelEmailChanges(of account: AccountID, at time: Timestamp) throws(AccountError) {
        try write(
            """
            UPDATE recovery_request SET used_at = ?2
                WHERE account = (SELECT number FROM account WHERE id = ?1) AND new_email IS NOT NULL
                    AND used_at IS NULL
            """, .id(account), .time(time))
    }

    package func requests(
        verifying address: EmailAddress, in throttle: Throttle?, since time: Timestamp
    ) throws(AccountError) -> Int {
        let row = throttle.map { columns(of: $0).unknownName } ?? .null
        let count = try integer(
            """
            SELECT count(*) FROM recovery_request
                WHERE new_email = ?1 AND created_at >= ?2
                    AND (CAST(?3 AS bigint) IS NULL OR unknown_name = CAST(?3 AS bigint))
            """, .text(address.folded), .time(time), row)
        return Int(count ?? 0)
    }

    package func spendRecoveryCodes(expiredBy time: Timestamp) throws(AccountError) {
        try write(
            "UPDATE recovery_request SET used_at = ?1 WHERE used_at IS NULL AND expires_at <= ?1", .time(time))
    }

    package func deleteRecoveryRequests(of account: AccountID) throws(AccountError) {
        try write(
            "DELETE FROM recovery_request WHERE account = (SELECT number FROM account WHERE id = ?1)", .id(account))
    }

    package func deleteRecoveryRequests(expiredBefore time: Timestamp) throws(AccountError) {
        try write("DELETE FROM recovery_request WHERE expires_at < ?1", .time(time))
    }
}
