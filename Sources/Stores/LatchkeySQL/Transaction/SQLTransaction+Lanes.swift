package import LatchkeyAccounts

/// The lanes of a database server. SQLite has no tables for them, because its transactions extend the trail themselves.
extension SQLTransaction {
    package var lane: AuditLane? {
        get throws(AccountError) {
            if let failure { throw .store(failure) }
            return connection.lane
        }
    }

    package func append(_ record: PendingRecord, to end: AuditLane) throws(AccountError) {
        let values = values(of: record.record, number: end.number, tag: end.head)
        try writing { (database) throws(Failure) in
            try database.write(
                """
                INSERT INTO audit_pending (number, time, event, account_id, actor_uid, request_id, reason, tag,
                        version, since_boot, boot_id, acting_account_id, process_uid, source, app_version,
                        actor_token, actor_client, lane, weight)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)
                """, values: values + [.integer(end.id), .integer(Int64(record.weight))])
        }
        connection.lane = end
    }

    package var needsSealing: Bool {
        get throws(AccountError) {
            guard Engine.hasLanes else { return false }
            if try integer(LaneStatement.unsealed) != nil { return true }
            return try integer("SELECT 1 FROM writer WHERE clock > (SELECT clock_seen FROM store) LIMIT 1") != nil
        }
    }

    package var pendingCounts: PendingCounts? {
        get throws(AccountError) {
            guard Engine.hasLanes else { return nil }
            return try row(
                """
                SELECT count(*), CAST(coalesce(sum(writer.number - coalesce(lane_sealed.number, 0)), 0) AS bigint),
                        min((SELECT time FROM audit_pending WHERE audit_pending.lane = writer.lane
                            AND audit_pending.number = coalesce(lane_sealed.number, 0) + 1))
                    FROM writer LEFT JOIN lane_sealed USING (lane)
                """
            ) { (row) throws(Failure) in
                PendingCounts(
                    lanes: Int(try row.integer(0)), records: Int(try row.integer(1)), oldest: try row.optionalTime(2))
            }
        }
    }

    package func raiseClockMark() throws(AccountError) {
        guard Engine.hasLanes else { return }
        try write(
            """
            UPDATE store SET clock_seen = latest, clock_highest = greatest(clock_highest, latest)
                FROM (SELECT max(clock) AS latest FROM writer) AS lanes WHERE latest > clock_seen
            """)
    }

    /// `EXCEPT` reads each table once. `NOT IN` reads it for each number if PostgreSQL expects that it needs more than
    /// `work_mem`, which took minutes, and kept the sealer waiting.
    package func addThrottles() throws(AccountError) {
        guard Engine.hasLanes else { return }
        try write(
            """
            INSERT INTO throttle_source (number, failures, since, last_at, names)
                SELECT number, 0, 0, 0, ''
                    FROM (SELECT generate_series(0, 65535) AS number EXCEPT SELECT number FROM throttle_source)
                        AS missing ON CONFLICT DO NOTHING
            """)
        try write(
            """
            INSERT INTO throttle_identifier (number, failures, last_at, total)
                SELECT number, 0, 0, 0
                    FROM (SELECT generate_series(0, 65535) AS number EXCEPT SELECT number FROM throttle_identifier)
                        AS missing ON CONFLICT DO NOTHING
            """)
        try write(
            """
            INSERT INTO throttle (unknown_name, failures, last_at, total)
                SELECT number, 0, 0, 0
                    FROM (SELECT generate_series(0, 65535) AS number EXCEPT SELECT unknown_name FROM throttle)
                        AS missing ON CONFLICT DO NOTHING
            """)
    }

    package var lanes: [AuditLane] {
        get throws(AccountError) {
            guard Engine.hasLanes else { return [] }
            return try rows(
                """
                SELECT lane, number, head FROM writer
                    UNION ALL SELECT lane, -1, CAST('' AS bytea)
                        FROM (SELECT lane FROM audit_pending EXCEPT SELECT lane FROM writer) AS others
                """, make: end)
        }
    }

    package var sealedLanes: [AuditLane] {
        get throws(AccountError) {
            guard Engine.hasLanes else { return [] }
            return try rows("SELECT lane, number, head FROM lane_sealed", make: end)
        }
    }

    private func end(_ row: Engine.Row) throws(Failure) -> AuditLane {
        AuditLane(id: try row.integer(0), number: try row.integer(1), head: try row.bytes(2))
    }

    /// Reads each lane from its sealed end on, and not from the start of the table: a snapshot that another program keeps
    /// open may hold thousands of deleted rows there.
    package func pendingRecords(limit: Int) throws(AccountError) -> [LaneRecord] {
        guard Engine.hasLanes else { return [] }
        return try rows(
            """
            SELECT pending.number, time, event, account_id, actor_uid, request_id, reason, tag, version, since_boot,
                    boot_id, acting_account_id, process_uid, source, app_version, actor_token, actor_client,
                    pending.lane, xid, weight
                FROM writer LEFT JOIN lane_sealed USING (lane) CROSS JOIN LATERAL (
                    SELECT * FROM audit_pending
                        WHERE audit_pending.lane = writer.lane
                            AND audit_pending.number > coalesce(lane_sealed.number, 0)
                        ORDER BY audit_pending.number LIMIT ?1) AS pending
            """, .integer(Int64(max(limit, 0)))
        ) { (row) throws(Failure) in
            let end = AuditLane(id: try row.integer(17), number: try row.integer(0), head: try row.bytes(7))
            let record = try? PendingRecord(auditRecord(row).numbered(0), weight: row.count(19))
            return LaneRecord(record, end: end, transaction: try row.integer(18))
        }
    }

    package func setSealed(_ end: AuditLane, after number: Int64) throws(AccountError) {
        guard Engine.hasLanes else { return }
        try write(
            """
            INSERT INTO lane_sealed (lane, number, head) VALUES (?1, ?2, ?3)
                ON CONFLICT (lane) DO UPDATE SET number = ?2, head = ?3
            """, .integer(end.id), .integer(end.number), .bytes(end.head))
        // From the last end on, for the reason of ``pendingRecords(limit:)``.
        try write(
            "DELETE FROM audit_pending WHERE lane = ?1 AND number > ?2 AND number <= ?3", .integer(end.id),
            .integer(number), .integer(end.number))
    }
}

package enum LaneStatement {
    /// Selects 1 if a record waits in a lane.
    package static let unsealed: StaticString = """
        SELECT 1 FROM writer LEFT JOIN lane_sealed USING (lane)
            WHERE writer.number > coalesce(lane_sealed.number, 0) LIMIT 1
        """
}
