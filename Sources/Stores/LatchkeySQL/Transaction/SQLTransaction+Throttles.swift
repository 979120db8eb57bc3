package import LatchkeyAccounts

extension SQLTransaction {
    package func failures(in throttle: Throttle) throws(AccountError) -> ThrottleFailures? {
        guard let statements = ThrottleStatements<Engine>(throttle) else {
            guard case .device(let digest) = throttle else { return nil }
            let known = try device(digest).flatMap { $0.failures > 0 ? $0 : nil }
            return known.map { ThrottleFailures(count: $0.failures, lastAt: $0.lastUsedAt) }
        }
        let found = try row(statements.select, statements.key) { (row) throws(Failure) in try failures(row, from: 0) }
        return found == Self.noFailures ? nil : found
    }

    /// The values of a row without failures.
    private static var noFailures: ThrottleFailures { ThrottleFailures(count: 0, lastAt: Timestamp(milliseconds: 0)) }

    package func setFailures(_ failures: ThrottleFailures?, in throttle: Throttle) throws(AccountError) {
        guard let statements = ThrottleStatements<Engine>(throttle) else {
            guard case .device(let digest) = throttle else { return }
            try write(
                "UPDATE device SET failures = ?2 WHERE digest = ?1", .bytes(digest),
                .integer(Int64(failures?.count ?? 0)))
            return
        }
        guard let failures else {
            try write(statements.clear, statements.key)
            return
        }
        let flood = failures.refusals
        let values: [Engine.Value] = [
            statements.key, .integer(Int64(failures.count)), .time(failures.lastAt), .integer(Int64(failures.total)),
            .integer(failures.extraAt?.milliseconds), .integer(flood?.since.milliseconds),
            .integer(flood.map { Int64($0.recorded) }), .integer(flood.map { Int64($0.counted) }),
        ]
        try writing { (database) throws(Failure) in try database.writeRow(statements.store, values: values) }
    }

    package func throttlesWithUnrecordedRefusals(
        since time: Timestamp, limit: Int
    ) throws(AccountError) -> [(throttle: Throttle, failures: ThrottleFailures)] {
        try rows(
            """
            SELECT 0, id, unknown_name, failures, last_at, total, extra_at, flood_since, flood_recorded, flood_counted
                FROM throttle LEFT JOIN account ON number = account WHERE flood_counted > 0 AND flood_since <= ?1
            UNION ALL SELECT 1, CAST(NULL AS uuid), number, failures, last_at, total, extra_at, flood_since,
                flood_recorded, flood_counted FROM throttle_identifier WHERE flood_counted > 0 AND flood_since <= ?1
            UNION ALL SELECT 2, id, CAST(NULL AS bigint), failures, last_at, total, extra_at, flood_since,
                flood_recorded, flood_counted FROM throttle_code JOIN account ON number = account
                WHERE flood_counted > 0 AND flood_since <= ?1
            UNION ALL SELECT 3, CAST(NULL AS uuid), number, failures, last_at, total, extra_at, flood_since,
                flood_recorded, flood_counted FROM throttle_code_network WHERE flood_counted > 0 AND flood_since <= ?1
            ORDER BY flood_since LIMIT ?2
            """, .time(time), .integer(Int64(max(limit, 0)))
        ) { (row) throws(Failure) in (throttle: try row.throttle(), failures: try failures(row, from: 3)) }
    }

    private func failures(_ row: Engine.Row, from column: Int32) throws(Failure) -> ThrottleFailures {
        ThrottleFailures(
            count: try row.count(column), lastAt: try row.time(column + 1), total: try row.count(column + 2),
            refusals: try row.flood(column + 4), extraAt: try row.optionalTime(column + 3))
    }

    package var codeFailures: CodeFailures? {
        get throws(AccountError) {
            try row("SELECT failures, since FROM code_failures WHERE failures <> 0") { (row) throws(Failure) in
                CodeFailures(count: try row.count(0), since: try row.time(1))
            }
        }
    }

    package func setCodeFailures(_ codes: CodeFailures) throws(AccountError) {
        try write(
            """
            INSERT INTO code_failures (number, failures, since) VALUES (1, ?1, ?2)
                ON CONFLICT (number) DO UPDATE SET failures = ?1, since = ?2
            """, .integer(Int64(codes.count)), .time(codes.since))
    }
}

extension SQLTransaction {
    package func failures(ofSource number: UInt16) throws(AccountError) -> SourceFailures? {
        let found = try row(RowStatement.source, .integer(Int64(number))) { (row) throws(Failure) in
            SourceFailures(
                count: try row.count(0), since: try row.time(1), lastAt: try row.time(2),
                names: Self.names(try row.bytes(3)))
        }
        let start = Timestamp(milliseconds: 0)
        return found == SourceFailures(count: 0, since: start, lastAt: start, names: []) ? nil : found
    }

    package func setFailures(_ failures: SourceFailures, ofSource number: UInt16) throws(AccountError) {
        try write(
            """
            INSERT INTO throttle_source (number, failures, since, last_at, names) VALUES (?1, ?2, ?3, ?4, ?5)
                ON CONFLICT (number) DO UPDATE SET failures = ?2, since = ?3, last_at = ?4, names = ?5
            """, .integer(Int64(number)), .integer(Int64(failures.count)), .time(failures.since),
            .time(failures.lastAt), .bytes(Self.bytes(failures.names)))
    }

    /// The names as four bytes each, most significant byte first.
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
        try row(RowStatement.device, .bytes(digest), make: device)
    }

    package func devices(of account: AccountID) throws(AccountError) -> [KnownDevice] {
        try rows(RowStatement.devices, .id(account), make: device)
    }

    private func device(_ row: Engine.Row) throws(Failure) -> KnownDevice {
        var device = KnownDevice(
            digest: try row.bytes(0), account: try row.accountID(1), lastUsedAt: try row.time(2),
            failures: try row.count(3))
        device.tag = try row.tag(4)
        return device
    }

    package func setDevice(_ device: KnownDevice) throws(AccountError) {
        try writeRow(
            """
            INSERT INTO device (digest, account, last_used_at, failures, tag)
                SELECT ?1, number, ?3, ?4, ?5 FROM account WHERE id = ?2
                ON CONFLICT (digest) DO UPDATE SET last_used_at = ?3, failures = ?4, tag = ?5
            """, .bytes(device.digest), .id(device.account), .time(device.lastUsedAt),
            .integer(Int64(device.failures)), .tag(device))
    }

    package func deleteDevice(_ digest: [UInt8]) throws(AccountError) {
        try write("DELETE FROM device WHERE digest = ?1", .bytes(digest))
    }

    package func deleteDevices(of account: AccountID) throws(AccountError) {
        try write("DELETE FROM device WHERE account = (SELECT number FROM account WHERE id = ?1)", .id(account))
    }

    package func deleteDevices(lastUsedBy time: Timestamp) throws(AccountError) {
        try write("DELETE FROM device WHERE last_used_at <= ?1", .time(time))
    }
}
