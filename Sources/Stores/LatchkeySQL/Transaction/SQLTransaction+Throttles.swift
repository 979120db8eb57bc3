package import LatchkeyAccounts

extension SQLTransaction {
    package func failures(in throttle: Throttle) throws(AccountError) -> ThrottleFailures? {
        if case .device(let digest) = throttle {
            let known = try device(digest).flatMap { $0.failures > 0 ? $0 : nil }
            return known.map { ThrottleFailures(count: $0.failures, lastAt: $0.lastUsedAt) }
        }
        return try reading { (database) throws(Failure) in
            if case .identifier(let number) = throttle {
                return try database.row(
                    """
                    SELECT failures, last_at, total, extra_at, flood_since, flood_recorded, flood_counted
                        FROM throttle_identifier WHERE number = ?1
                    """, .integer(Int64(number))
                ) { (row) throws(Failure) in try failures(row, from: 0) }
            }
            return try database.row(
                """
                SELECT failures, last_at, total, extra_at, flood_since, flood_recorded, flood_counted FROM throttle
                    WHERE account = (SELECT number FROM account WHERE id = ?1) OR unknown_name = ?2
                """, columns(of: throttle).account, columns(of: throttle).unknownName
            ) { (row) throws(Failure) in try failures(row, from: 0) }
        }
    }

    package func setFailures(_ failures: ThrottleFailures?, in throttle: Throttle) throws(AccountError) {
        if case .identifier(let number) = throttle {
            try setFailures(failures, ofIdentifier: .integer(Int64(number)))
            return
        }
        if case .device(let digest) = throttle {
            try write(
                "UPDATE device SET failures = ?2 WHERE digest = ?1", .bytes(digest),
                .integer(Int64(failures?.count ?? 0)))
            return
        }
        let (account, unknownName) = columns(of: throttle)
        guard let failures else {
            try write(
                """
                DELETE FROM throttle
                    WHERE account = (SELECT number FROM account WHERE id = ?1) OR unknown_name = ?2
                """, account, unknownName)
            return
        }
        let flood = failures.refusals
        let values: [Engine.Value] = [
            .integer(Int64(failures.count)), .time(failures.lastAt), .integer(Int64(failures.total)),
            .integer(failures.extraAt?.milliseconds), .integer(flood?.since.milliseconds),
            .integer(flood.map { Int64($0.recorded) }), .integer(flood.map { Int64($0.counted) }),
        ]
        let count = try writing { (database) throws(Failure) in
            if case .account = throttle {
                try database.run(
                    """
                    INSERT INTO throttle (account, failures, last_at, total, extra_at, flood_since, flood_recorded,
                            flood_counted)
                        SELECT number, ?2, ?3, ?4, ?5, ?6, ?7, ?8 FROM account WHERE id = ?1
                        ON CONFLICT (account) DO UPDATE SET failures = ?2, last_at = ?3, total = ?4, extra_at = ?5,
                            flood_since = ?6, flood_recorded = ?7, flood_counted = ?8
                    """, values: [account] + values)
            } else {
                try database.run(
                    """
                    INSERT INTO throttle (unknown_name, failures, last_at, total, extra_at, flood_since, flood_recorded,
                            flood_counted)
                        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                        ON CONFLICT (unknown_name) DO UPDATE SET failures = ?2, last_at = ?3, total = ?4,
                            extra_at = ?5, flood_since = ?6, flood_recorded = ?7, flood_counted = ?8
                    """, values: [unknownName] + values)
            }
        }
        guard count > 0 else { throw .noSuchAccount }
    }

    private func setFailures(
        _ failures: ThrottleFailures?, ofIdentifier number: Engine.Value
    ) throws(AccountError) {
        try writing { (database) throws(Failure) in
            guard let failures else {
                try database.write("DELETE FROM throttle_identifier WHERE number = ?1", number)
                return
            }
            let flood = failures.refusals
            try database.write(
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

    package func throttlesWithUnrecordedRefusals(
        since time: Timestamp, limit: Int
    ) throws(AccountError) -> [(throttle: Throttle, failures: ThrottleFailures)] {
        try rows(
            """
            SELECT id, unknown_name, CAST(NULL AS bigint), failures, last_at, total, extra_at, flood_since, flood_recorded,
                flood_counted FROM throttle LEFT JOIN account ON number = account WHERE flood_counted > 0 AND flood_since <= ?1
            UNION ALL SELECT CAST(NULL AS uuid), CAST(NULL AS bigint), number, failures, last_at, total, extra_at, flood_since, flood_recorded,
                flood_counted FROM throttle_identifier WHERE flood_counted > 0 AND flood_since <= ?1
            ORDER BY flood_since LIMIT ?2
            """, .time(time), .integer(Int64(max(limit, 0)))
        ) { (row) throws(Failure) in
            let throttle: Throttle = try row.isNull(2) ? row.throttle(0) : .identifier(row: row.sharedRow(2))
            return (throttle: throttle, failures: try failures(row, from: 3))
        }
    }

    private func failures(_ row: Engine.Row, from column: Int32) throws(Failure) -> ThrottleFailures {
        ThrottleFailures(
            count: try row.count(column), lastAt: try row.time(column + 1), total: try row.count(column + 2),
            refusals: try row.flood(column + 4), extraAt: try row.optionalTime(column + 3))
    }

    package var codeFailures: CodeFailures? {
        get throws(AccountError) {
            try row("SELECT wrong_codes, wrong_codes_since FROM store WHERE wrong_codes <> 0") {
                (row) throws(Failure) in
                CodeFailures(count: try row.count(0), since: try row.time(1))
            }
        }
    }

    package func setCodeFailures(_ codes: CodeFailures) throws(AccountError) {
        try write(
            "UPDATE store SET wrong_codes = ?1, wrong_codes_since = ?2", .integer(Int64(codes.count)),
            .time(codes.since))
    }
}

extension SQLTransaction {
    package func failures(ofSource number: UInt16) throws(AccountError) -> SourceFailures? {
        try row(
            "SELECT failures, since, last_at, names FROM throttle_source WHERE number = ?1",
            .integer(Int64(number))
        ) { (row) throws(Failure) in
            SourceFailures(
                count: try row.count(0), since: try row.time(1), lastAt: try row.time(2),
                names: Self.names(try row.bytes(3)))
        }
    }

    package func setFailures(_ failures: SourceFailures, ofSource number: UInt16) throws(AccountError) {
        try write(
            """
            INSERT INTO throttle_source (number, failures, since, last_at, names) VALUES (?1, ?2, ?3, ?4, ?5)
                ON CONFLICT (number) DO UPDATE SET failures = ?2, since = ?3, last_at = ?4, names = ?5
            """, .integer(Int64(number)), .integer(Int64(failures.count)), .time(failures.since),
            .time(failures.lastAt), .bytes(Self.bytes(failures.names)))
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

extension SQLTransaction {
    package func device(_ digest: [UInt8]) throws(AccountError) -> KnownDevice? {
        try row(
            """
            SELECT digest, id, last_used_at, failures, tag FROM device JOIN account ON number = account
                WHERE digest = ?1
            """, .bytes(digest)
        ) { (row) throws(Failure) in
            var device = KnownDevice(
                digest: try row.bytes(0), account: try row.accountID(1), lastUsedAt: try row.time(2),
                failures: try row.count(3))
            device.tag = try row.tag(4)
            return device
        }
    }

    package func setDevice(_ device: KnownDevice) throws(AccountError) {
        let count = try run(
            """
            INSERT INTO device (digest, account, last_used_at, failures, tag)
                SELECT ?1, number, ?3, ?4, ?5 FROM account WHERE id = ?2
                ON CONFLICT (digest) DO UPDATE SET last_used_at = ?3, failures = ?4, tag = ?5
            """, .bytes(device.digest), .id(device.account), .time(device.lastUsedAt),
            .integer(Int64(device.failures)), .tag(device))
        guard count > 0 else { throw .noSuchAccount }
    }

    package func deleteDevices(of account: AccountID, keeping count: Int) throws(AccountError) {
        try write(
            """
            DELETE FROM device WHERE digest IN (
                SELECT digest FROM device WHERE account = (SELECT number FROM account WHERE id = ?1)
                    ORDER BY last_used_at DESC, digest LIMIT 9223372036854775807 OFFSET ?2)
            """, .id(account), .integer(Int64(max(count, 0))))
    }

    package func deleteDevices(lastUsedBy time: Timestamp) throws(AccountError) {
        try write("DELETE FROM device WHERE last_used_at <= ?1", .time(time))
    }
}
