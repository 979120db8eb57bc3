package import LatchkeyAccounts

extension SQLTransaction {
    /// The number of the hash's kind, and the rest of the hash.
    package func stored(_ hash: PasswordHash) throws(Failure) -> (kind: Int64, rest: Substring) {
        try hashKinds.number(ofKindOf: hash) { (kind) throws(Failure) in
            let (prefix, cost) = (Engine.Value.text(kind.prefix), Engine.Value.integer(Int64(kind.milliseconds)))
            let known = try connection.integer(
                "SELECT number FROM hash_kind WHERE prefix = ?1 AND milliseconds = ?2", prefix, cost)
            if let known { return known }
            let added = try connection.integer(
                "INSERT INTO hash_kind (prefix, milliseconds) VALUES (?1, ?2) RETURNING number", prefix, cost)
            guard let added else { throw .corrupt }
            return added
        }
    }

    /// The kind of the account's hash; nil if the account does not exist or has no hash.
    package func hashKind(
        of account: AccountID, in database: Engine
    ) throws(Failure) -> Int64?? {
        try database.row("SELECT hash_kind FROM account WHERE id = ?1", .id(account)) { (row) throws(Failure) in
            try row.optionalInteger(0)
        }
    }

    package func writeHashKindCounts() throws(AccountError) {
        for (kind, count) in hashKinds.takeAll() where count != 0 {
            try write(
                """
                INSERT INTO hash_kind_count (kind, lane, accounts) VALUES (?1, ?2, ?3)
                    ON CONFLICT (kind, lane) DO UPDATE SET accounts = hash_kind_count.accounts + ?3
                """, .integer(kind), .integer(connection.lane?.id ?? 0), .integer(count))
        }
    }

    package func replaceHash(
        of account: AccountID, _ old: PasswordHash, by new: PasswordHash
    ) throws(AccountError) -> Bool {
        try writing { (database) throws(Failure) in
            let found = try database.row(
                """
                SELECT account.number, hash_kind, password_hash
                    FROM account LEFT JOIN hash_kind ON hash_kind.number = hash_kind
                    WHERE id = ?1 AND coalesce(prefix, '') || password_hash = ?2
                """, .id(account), .text(old.phc)
            ) { (row) throws(Failure) in
                (number: try row.integer(0), kind: try row.optionalInteger(1), rest: try row.text(2))
            }
            guard let found else { return false }
            let (kind, rest) = try stored(new)
            let isReplaced =
                try database.run(
                    """
                    UPDATE account SET hash_kind = ?2, password_hash = ?3
                        WHERE number = ?1 AND hash_kind IS NOT DISTINCT FROM ?4 AND password_hash = ?5
                    """, .integer(found.number), .integer(kind), .text(String(rest)), .integer(found.kind),
                    .text(found.rest)) > 0
            guard isReplaced else { return false }
            hashKinds.add(-1, to: found.kind)
            hashKinds.add(1, to: kind)
            return true
        }
    }

    package var hashCosts: ClosedRange<Int>? {
        get throws(AccountError) {
            if let knownHashCosts { return knownHashCosts }
            return try countedReading { (database) throws(Failure) in
                let costs = try database.row(RowStatement.hashCosts) {
                    (row) throws(Failure) in (try row.optionalInteger(0), try row.optionalInteger(1))
                }
                guard case (let least?, let most?)? = costs else { return nil }
                // A damaged cost must not block all logins, because it only affects the work and the delay of failed
                // logins.
                return StoredRange.cost.clamped(Int(clamping: least))...StoredRange.cost.clamped(Int(clamping: most))
            }
        }
    }

    package func hashes(
        notSealedWith key: SealingKeyID?, after account: AccountID?, limit: Int
    ) throws(AccountError) -> [StoredHashRow] {
        try rows(
            """
            SELECT id, hash_kind, prefix, milliseconds, password_hash
            FROM account LEFT JOIN hash_kind ON hash_kind.number = hash_kind
            WHERE id > ?1 AND password_hash IS NOT NULL AND (CAST(?2 AS text) IS NULL OR prefix IS DISTINCT FROM ?2)
            ORDER BY id LIMIT ?3
            """, .bytes(account?.bytes ?? lowestAccountID), .text(key.map { $0.hashPrefix }),
            .integer(Int64(max(limit, 0)))
        ) { (row) throws(Failure) in
            StoredHashRow(account: try row.accountID(0), hash: try row.hash(from: 1, rest: try row.text(4)))
        }
    }

    package var usedSealingKeys: [SealingKeyID] {
        get throws(AccountError) {
            let prefixes = try countedReading { (database) throws(Failure) in
                try database.rows(
                    """
                    SELECT prefix FROM hash_kind
                        WHERE (SELECT sum(CAST(accounts AS double precision)) FROM hash_kind_count WHERE kind = number) > 0
                    """
                ) { (row) throws(Failure) in try row.text(0) }
            }
            return Array(Set(prefixes.compactMap { SealingKeyID(hashPrefix: $0) }))
        }
    }

    package var hashCounts: [SealingKeyID?: Int] {
        get throws(AccountError) {
            try reading { (database) throws(Failure) in
                let counts = try database.rows(
                    """
                    SELECT prefix, count(*) FROM account LEFT JOIN hash_kind ON hash_kind.number = hash_kind
                    WHERE password_hash IS NOT NULL GROUP BY hash_kind.number
                    """
                ) { (row) throws(Failure) in
                    (
                        try row.optionalText(0).flatMap { SealingKeyID(hashPrefix: $0) },
                        Int(clamping: try row.integer(1))
                    )
                }
                return Dictionary(counts) { $0 + $1 }
            }
        }
    }

    /// Reads `hash_kind`, including this transaction's changes.
    private func countedReading<Value>(
        _ body: (Engine) throws(Failure) -> Value
    ) throws(AccountError) -> Value {
        try writeHashKindCounts()
        return try reading(body)
    }
}

extension SQLRow {
    /// Reads a hash from the columns of its kind, prefix and cost, and the rest of its text.
    ///
    /// If there is no kind, another program has written the row: the rest is then the whole hash, and its cost is
    /// unknown.
    package func hash(from kind: Int32, rest: String) throws(Failure) -> PasswordHash {
        if isNull(kind) { return PasswordHash(phc: rest) }
        return PasswordHash(phc: try text(kind + 1) + rest, milliseconds: try cost(kind + 2))
    }
}
