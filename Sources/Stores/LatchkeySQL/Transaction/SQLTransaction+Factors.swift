package import LatchkeyAccounts

extension SQLTransaction {
    package func authenticator(of account: AccountID) throws(AccountError) -> Authenticator? {
        try row(RowStatement.authenticator, .id(account), make: authenticator)
    }

    package func setAuthenticator(_ authenticator: Authenticator, of account: AccountID) throws(AccountError) {
        try writeRow(
            """
            INSERT INTO authenticator (account, sealing_key, secret, created_at, is_confirmed, last_step, last_used_at)
                SELECT number, ?2, ?3, ?4, ?5, ?6, ?7 FROM account WHERE id = ?1
                ON CONFLICT (account) DO UPDATE SET sealing_key = ?2, secret = ?3, created_at = ?4,
                    is_confirmed = ?5, last_step = ?6, last_used_at = ?7
            """, .id(account), .text(authenticator.secret.key?.text), .bytes(authenticator.secret.bytes),
            .time(authenticator.createdAt), .integer(authenticator.isConfirmed ? 1 : 0),
            .integer(authenticator.lastStep), .integer(authenticator.lastUsedAt?.milliseconds))
    }

    package func deleteAuthenticator(of account: AccountID) throws(AccountError) -> Bool {
        try run(
            "DELETE FROM authenticator WHERE account = (SELECT number FROM account WHERE id = ?1)", .id(account))
            > 0
    }

    package func deleteFactors(of account: AccountID) throws(AccountError) -> Bool {
        try writing { (database) throws(Failure) in
            for statement: StaticString in [
                "DELETE FROM saved_code WHERE account = (SELECT number FROM account WHERE id = ?1)",
                "DELETE FROM throttle_code WHERE account = (SELECT number FROM account WHERE id = ?1)",
            ] {
                try database.write(statement, .id(account))
            }
        }
        return try deleteAuthenticator(of: account)
    }

    package func authenticators(
        notSealedWith key: SealingKeyID, after account: AccountID?, limit: Int
    ) throws(AccountError) -> [(account: AccountID, authenticator: Authenticator)] {
        try rows(
            """
            SELECT sealing_key, secret, authenticator.created_at, is_confirmed, last_step, last_used_at, id
                FROM authenticator JOIN account ON number = account
                WHERE id > ?1 AND sealing_key IS DISTINCT FROM ?2 ORDER BY id LIMIT ?3
            """, .bytes(account?.bytes ?? lowestAccountID), .text(key.text), .integer(Int64(max(limit, 0)))
        ) { (row) throws(Failure) in
            (account: try row.accountID(6), authenticator: try authenticator(row))
        }
    }

    package var authenticatorCounts: [SealingKeyID?: Int] {
        get throws(AccountError) {
            try reading { (database) throws(Failure) in
                let counts = try database.rows("SELECT sealing_key, count(*) FROM authenticator GROUP BY sealing_key") {
                    (row) throws(Failure) in (try row.sealingKey(0), Int(clamping: try row.integer(1)))
                }
                return Dictionary(counts, uniquingKeysWith: +)
            }
        }
    }

    private func authenticator(_ row: Engine.Row) throws(Failure) -> Authenticator {
        Authenticator(
            secret: SealedSecret(key: try row.sealingKey(0), bytes: try row.bytes(1)), createdAt: try row.time(2),
            isConfirmed: try row.integer(3, in: .flag) == 1,
            lastStep: row.isNull(4) ? nil : try row.integer(4, in: .step), lastUsedAt: try row.optionalTime(5))
    }
}

// MARK: Saved codes

extension SQLTransaction {
    package func savedCodes(of account: AccountID) throws(AccountError) -> Int {
        try reading { (database) throws(Failure) in
            let count = try database.integer(
                "SELECT count(*) FROM saved_code JOIN account ON number = account WHERE id = ?1", .id(account))
            return Int(clamping: count ?? 0)
        }
    }

    package func setSavedCodes(_ tags: [RecoveryCodeTag], of account: AccountID) throws(AccountError) {
        try writing { (database) throws(Failure) in
            try database.write(
                "DELETE FROM saved_code WHERE account = (SELECT number FROM account WHERE id = ?1)", .id(account))
            for tag in tags {
                try database.write(
                    "INSERT INTO saved_code (tag, account) SELECT ?2, number FROM account WHERE id = ?1", .id(account),
                    .bytes(tag.bytes))
            }
        }
    }

    package func spendSavedCode(_ tag: RecoveryCodeTag, of account: AccountID) throws(AccountError) -> Bool {
        try run(
            "DELETE FROM saved_code WHERE tag = ?2 AND account = (SELECT number FROM account WHERE id = ?1)",
            .id(account), .bytes(tag.bytes)) > 0
    }
}

// MARK: Pending logins

extension SQLTransaction {
    package func insert(_ pending: PendingLogin) throws(AccountError) {
        let (session, recovery, sealed): ([UInt8]?, [UInt8]?, SealedSecret?) =
            switch pending.purpose {
            case .login: (nil, nil, nil)
            case .reauthentication(let session): (session.bytes, nil, nil)
            case .recovery(let tag, let password): (nil, tag.bytes, password)
            }
        try writeRow(
            """
            INSERT INTO pending_login (digest, account, network, password_generation, created_at, expires_at, session,
                    recovery_tag, sealing_key, new_password, tag)
                SELECT ?1, number, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11 FROM account WHERE id = ?2
            """, .bytes(pending.digest), .id(pending.account), .bytes(pending.network),
            .integer(Int64(pending.passwordGeneration)), .time(pending.createdAt), .time(pending.expiresAt),
            .bytes(session), .bytes(recovery), .text(sealed?.key?.text), .bytes(sealed?.bytes), .tag(pending))
    }

    package func pendingLogin(_ digest: [UInt8]) throws(AccountError) -> PendingLogin? {
        try row(RowStatement.pendingLogin, .bytes(digest)) {
            (row) throws(Failure) in
            let purpose: PendingLogin.Purpose =
                if !row.isNull(6) {
                    .reauthentication(SessionDigest(bytes: try row.bytes(6)))
                } else if !row.isNull(7) {
                    .recovery(
                        RecoveryCodeTag(bytes: try row.bytes(7)),
                        SealedSecret(key: try row.sealingKey(8), bytes: try row.bytes(9)))
                } else {
                    .login
                }
            var pending = PendingLogin(
                digest: try row.bytes(0), account: try row.accountID(1), network: try row.bytes(2),
                passwordGeneration: try row.count(3), createdAt: try row.time(4), expiresAt: try row.time(5),
                purpose: purpose)
            pending.tag = try row.tag(10)
            return pending
        }
    }

    package func deletePendingLogin(_ digest: [UInt8]) throws(AccountError) {
        try write("DELETE FROM pending_login WHERE digest = ?1", .bytes(digest))
    }

    package func deletePendingLogins(of account: AccountID) throws(AccountError) {
        try write("DELETE FROM pending_login WHERE account = (SELECT number FROM account WHERE id = ?1)", .id(account))
    }

    package func deletePendingLogins(
        of account: AccountID, from network: [UInt8], keeping count: Int
    ) throws(AccountError) {
        try write(
            """
            DELETE FROM pending_login WHERE digest IN (
                SELECT digest FROM pending_login
                    WHERE account = (SELECT number FROM account WHERE id = ?1) AND network = ?2
                    ORDER BY created_at DESC, digest LIMIT 9223372036854775807 OFFSET ?3)
            """, .id(account), .bytes(network), .integer(Int64(max(count, 0))))
    }

    package func deletePendingLogins(expiredBy time: Timestamp) throws(AccountError) {
        try write("DELETE FROM pending_login WHERE expires_at <= ?1", .time(time))
    }
}

extension SQLRow {
    /// The ID of a sealing key; nil for NULL.
    func sealingKey(_ column: Int32) throws(Failure) -> SealingKeyID? {
        guard let text = try optionalText(column) else { return nil }
        guard let id = SealingKeyID(text) else { throw .corrupt }
        return id
    }
}
