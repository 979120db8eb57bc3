import LatchkeyAccounts

extension SQLiteTransaction {
    func failures(in throttle: Throttle) throws(AccountError) -> ThrottleFailures? {
        if case .device(let digest) = throttle {
            let known = try device(digest).flatMap { $0.failures > 0 ? $0 : nil }
            return known.map { ThrottleFailures(count: $0.failures, lastAt: $0.lastUsedAt) }
        }
        return try reading { (database) throws(SQLiteError) in
            if case .identifier(let number) = throttle {
                return try database.row(
                    """
                    SELECT failures, last_at, total, extra_at, flood_since, flood_recorded, flood_counted
                        FROM throttle_identifier WHERE number = ?1
                    """, .integer(Int64(number))
                ) { (row) throws(SQLiteError) in try failures(row, from: 0) }
            }
            return try database.row(
                """
                SELECT failures, last_at, total, extra_at, flood_since, flood_recorded, flood_counted FROM throttle
                    WHERE account = (SELECT number FROM account WHERE id = ?1) OR unknown_name = ?2
                """, throttle.columns.account, throttle.columns.unknownName
            ) { (row) throws(SQLiteError) in try failures(row, from: 0) }
        }
    }

    func setFailures(_ failures: ThrottleFailures?, in throttle: Throttle) throws(AccountError) {
        if case .identifier(let number) = throttle {
            try setFailures(failures, ofIdentifier: .integer(Int64(number)))
            return
        }
        if case .device(let digest) = throttle {
            try writing { (database) throws(SQLiteError) in
                try database.run(
                    "UPDATE device SET failures = ?2 WHERE digest = ?1", .bytes(digest),
                    .integer(Int64(failures?.count ?? 0)))
            }
            return
        }
        let (account, unknownName) = throttle.columns
        guard let failures else {
            try writing { (database) throws(SQLiteError) in
                try database.run(
                    """
                    DELETE FROM throttle
                        WHERE account = (SELECT number FROM account WHERE id = ?1) OR unknown_name = ?2
                    """, account, unknownName)
            }
            return
        }
        let flood = failures.refusals
        let count = try writing { (database) throws(SQLiteError) in
            try database.run(
                """
                INSERT INTO throttle (account, unknown_name, failures, last_at, total, extra_at, flood_since,
                        flood_recorded, flood_counted)
                    SELECT number, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
                    FROM (SELECT number FROM account WHERE id = ?1 UNION ALL SELECT NULL WHERE ?1 IS NULL)
                    WHERE true
                    ON CONFLICT DO UPDATE SET failures = ?3, last_at = ?4, total = ?5, extra_at = ?6,
                        flood_since = ?7, flood_recorded = ?8, flood_counted = ?9
                """, account, unknownName, .integer(Int64(failures.count)), .time(failures.lastAt),
                .integer(Int64(failures.total)), .integer(failures.extraAt?.milliseconds),
                .integer(flood?.since.milliseconds), .integer(flood.map { Int64($0.recorded) }),
                .integer(flood.map { Int64($0.counted) }))
        }
        guard count > 0 else { throw .noSuchAccount }
    }

    private func setFailures(
        _ failures: ThrottleFailures?, ofIdentifier number: SQLiteValue
    ) throws(AccountError) {
        try writing { (database) throws(SQLiteError) in
            guard let failures else {
                try database.run("DELETE FROM throttle_identifier WHERE number = ?1", number)
                return
            }
            let flood = failures.refusals
            try database.run(
                """
                INSERT INTO throttle_identifier (number, failures, last_at, total, extra_at, flood_since,
                    flood_recorded, flood_counted) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                    ON CONFLICT (number) DO UPDATE SET failures = ?2, last_at = ?3, total = ?4, extra_at = ?5,
                        flood_since = ?6, flood_recorded = ?7, flood_counted = ?8
                """, number, .integer(Int64(failures.count)), .time(failures.lastAt),
                .integer(Int64(failures.total)), .integer(failures.extraAt?.milliseconds),
                .integer(flood?.since.milliseconds), .integer(flood.map { Int64($0.recorded) }),
                .integer(flood.map { Int64($0.counted) }))
        }
    }

    func throttlesWithUnrecordedRefusals(
        since time: Timestamp, limit: Int
    ) throws(AccountError) -> [(throttle: Throttle, failures: ThrottleFailures)] {
        try reading { (database) throws(SQLiteError) in
            try database.rows(
                """
                SELECT id, unknown_name, NULL, failures, last_at, total, extra_at, flood_since, flood_recorded,
                    flood_counted FROM throttle LEFT JOIN account ON number = account WHERE flood_counted > 0 AND flood_since <= ?1
                UNION ALL SELECT NULL, NULL, number, failures, last_at, total, extra_at, flood_since, flood_recorded,
                    flood_counted FROM throttle_identifier WHERE flood_counted > 0 AND flood_since <= ?1
                ORDER BY flood_since LIMIT ?2
                """, .time(time), .integer(Int64(max(limit, 0)))
            ) { (row) throws(SQLiteError) in
                let throttle: Throttle = try row.isNull(2) ? row.throttle(0) : .identifier(row: row.sharedRow(2))
                return (throttle: throttle, failures: try failures(row, from: 3))
            }
        }
    }

    private func failures(_ row: SQLiteRow, from column: Int32) throws(SQLiteError) -> ThrottleFailures {
        ThrottleFailures(
            count: try row.count(column), lastAt: try row.time(column + 1), total: try row.count(column + 2),
            refusals: try row.flood(column + 4), extraAt: try row.optionalTime(column + 3))
    }

    var codeFailures: CodeFailures? {
        get throws(AccountError) {
            try reading { (database) throws(SQLiteError) in
                try database.row("SELECT wrong_codes, wrong_codes_since FROM store WHERE wrong_codes <> 0") {
                    (row) throws(SQLiteError) in
                    CodeFailures(count: try row.count(0), since: try row.time(1))
                }
            }
        }
    }

    func setCodeFailures(_ codes: CodeFailures) throws(AccountError) {
        try writing { (database) throws(SQLiteError) in
            try database.run(
                "UPDATE store SET wrong_codes = ?1, wrong_codes_since = ?2", .integer(Int64(codes.count)),
                .time(codes.since))
        }
    }
}

extension SQLiteTransaction {
    func failures(ofSource number: UInt16) throws(AccountError) -> SourceFailures? {
        try reading { (database) throws(SQLiteError) in
            try database.row(
                "SELECT failures, since, last_at, names FROM throttle_source WHERE number = ?1",
                .integer(Int64(number))
            ) { (row) throws(SQLiteError) in
                SourceFailures(
                    count: try row.count(0), since: try row.time(1), lastAt: try row.time(2),
                    names: Self.names(try row.bytes(3)))
            }
        }
    }

    func setFailures(_ failures: SourceFailures, ofSource number: UInt16) throws(AccountError) {
        try writing { (database) throws(SQLiteError) in
            try database.run(
                """
                INSERT INTO throttle_source (number, failures, since, last_at, names) VALUES (?1, ?2, ?3, ?4, ?5)
                    ON CONFLICT (number) DO UPDATE SET failures = ?2, since = ?3, last_at = ?4, names = ?5
                """, .integer(Int64(number)), .integer(Int64(failures.count)), .time(failures.since),
                .time(failures.lastAt), .bytes(Self.bytes(failures.names)))
        }
    }

    /// Four bytes per name, the most significant first.
    private static func bytes(_ names: [UInt32]) -> [UInt8] {
        names.flatMap { name in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: name >> UInt32($0)) } }
    }

    private static func names(_ bytes: [UInt8]) -> [UInt32] {
        stride(from: 0, to: bytes.count - bytes.count % 4, by: 4).map { start in
            bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
    }
}

extension SQLiteTransaction {
    func device(_ digest: [UInt8]) throws(AccountError) -> KnownDevice? {
        try reading { (database) throws(SQLiteError) in
            try database.row(
                """
                SELECT digest, id, last_used_at, failures FROM device JOIN account ON number = account
                    WHERE digest = ?1
                """, .bytes(digest)
            ) { (row) throws(SQLiteError) in
                KnownDevice(
                    digest: try row.bytes(0), account: try row.accountID(1), lastUsedAt: try row.time(2),
                    failures: try row.count(3))
            }
        }
    }

    func setDevice(_ device: KnownDevice) throws(AccountError) {
        let count = try writing { (database) throws(SQLiteError) in
            try database.run(
                """
                INSERT INTO device (digest, account, last_used_at, failures)
                    SELECT ?1, number, ?3, ?4 FROM account WHERE id = ?2
                    ON CONFLICT (digest) DO UPDATE SET last_used_at = ?3, failures = ?4
                """, .bytes(device.digest), .id(device.account), .time(device.lastUsedAt),
                .integer(Int64(device.failures)))
        }
        guard count > 0 else { throw .noSuchAccount }
    }

    func deleteDevices(of account: AccountID, keeping count: Int) throws(AccountError) {
        try writing { (database) throws(SQLiteError) in
            try database.run(
                """
                DELETE FROM device WHERE digest IN (
                    SELECT digest FROM device WHERE account = (SELECT number FROM account WHERE id = ?1)
                        ORDER BY last_used_at DESC, digest LIMIT -1 OFFSET ?2)
                """, .id(account), .integer(Int64(max(count, 0))))
        }
    }

    func deleteDevices(lastUsedBy time: Timestamp) throws(AccountError) {
        try writing { (database) throws(SQLiteError) in
            try database.run("DELETE FROM device WHERE last_used_at <= ?1", .time(time))
        }
    }
}
