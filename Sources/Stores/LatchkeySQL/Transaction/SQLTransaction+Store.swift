package import LatchkeyAccounts

extension SQLTransaction {
    package func counts(
        ofSessions window: SessionWindow, at time: Timestamp
    ) throws(AccountError) -> StoreCounts {
        try reading { (database) throws(Failure) in
            let accounts = try database.row(
                """
                SELECT count(*) FILTER (WHERE verify_by IS NULL AND state = 0),
                    count(*) FILTER (WHERE verify_by IS NULL AND state <> 0),
                    count(*) FILTER (WHERE verify_by IS NOT NULL), count(*) FILTER (WHERE must_change_password <> 0)
                    FROM account
                """
            ) { (row) throws(Failure) in
                (
                    Int(try row.integer(0)), Int(try row.integer(1)), Int(try row.integer(2)), Int(try row.integer(3))
                )
            }
            let sessions = try database.integer(
                """
                SELECT count(*) FROM session
                    WHERE created_at > ?1 AND last_used_at > ?2 AND created_at <= ?3 AND last_used_at <= ?3
                """, .time(window.createdAfter), .time(window.usedAfter), .time(window.latest))
            let messages = try database.row(
                """
                SELECT count(*), min(created_at) FROM outbox
                    WHERE recipient IS NOT NULL AND (expires_at IS NULL OR expires_at > ?1)
                """, .time(time)
            ) { (row) throws(Failure) in (Int(try row.integer(0)), try row.optionalTime(1)) }
            let (active, disabled, unverified, toChange) = accounts ?? (0, 0, 0, 0)
            return StoreCounts(
                activeAccounts: active, disabledAccounts: disabled, unverifiedAccounts: unverified,
                accountsToChangePassword: toChange, liveSessions: Int(sessions ?? 0),
                waitingMessages: messages?.0 ?? 0, oldestMessage: messages?.1)
        }
    }

    package func auditCounts(after sequence: Int64, limit: Int) throws(AccountError) -> AuditCounts {
        try reading { (database) throws(Failure) in
            let rows = try database.rows(
                """
                SELECT event, count(*), max(sequence)
                    FROM (SELECT sequence, event FROM audit WHERE sequence > ?1 ORDER BY sequence LIMIT ?2) AS page
                    GROUP BY event
                """, .integer(sequence), .integer(Int64(max(limit, 0)))
            ) { (row) throws(Failure) in
                (try row.text(0), Int(try row.integer(1)), try row.integer(2, in: .sequence))
            }
            // Adds the counts of names that Swift treats as equal although their bytes differ. Latchkey never writes
            // such names.
            let byName = Dictionary(rows.map { ($0.0, $0.1) }, uniquingKeysWith: +)
            return AuditCounts(byName: byName, last: rows.map(\.2).max())
        }
    }
}

extension SQLTransaction {
    package var clockMark: ClockMark {
        get throws(AccountError) {
            if let knownClock { return knownClock }
            let mark = try reading { (database) throws(Failure) in
                let mark = try database.row(RowStatement.clock) {
                    (row) throws(Failure) in ClockMark(seen: try row.time(0), highest: try row.time(1))
                }
                guard let mark else { throw .corrupt }
                return mark
            }
            knownClock = mark
            return mark
        }
    }

    package func setClockMark(_ mark: ClockMark) throws(AccountError) {
        let known = knownClock
        knownClock = mark
        if connection.lane != nil, let known, mark.seen >= known.seen, mark.highest == max(known.highest, mark.seen) {
            // Every writer would wait for the one row. The sealer raises the mark to the time of the lanes.
            connection.laneClock = mark.seen
            return
        }
        try write(
            "UPDATE store SET clock_seen = ?1, clock_highest = ?2", .time(mark.seen), .time(mark.highest))
        guard connection.lane != nil else { return }
        let latest = min(mark.seen, mark.highest)
        connection.laneClock = latest
        try write("UPDATE writer SET clock = ?1 WHERE clock > ?1", .time(latest))
    }

    package var serverTime: Timestamp? {
        get throws(AccountError) {
            try reading { (database) throws(Failure) in
                try Engine.serverTime.flatMap { (statement) throws(Failure) in
                    try database.integer(statement).map { Timestamp(milliseconds: $0) }
                }
            }
        }
    }

    package func revokeEverything(throttles: Bool) throws(AccountError) {
        try writing { (database) throws(Failure) in
            try database.write("DELETE FROM session")
            try database.write("DELETE FROM device")
            try database.write("DELETE FROM pending_login")
            try database.write("DELETE FROM app_password")
            try database.write("DELETE FROM passkey_challenge")
            try database.write("DELETE FROM operator_token")
            try database.write("DELETE FROM authorization_request")
            try database.write("DELETE FROM device_request")
            try database.write("DELETE FROM access_grant")
            try database.write("DELETE FROM recovery_request")
            try database.write("DELETE FROM outbox WHERE expires_at IS NOT NULL")
            guard throttles else { return }
            try database.write("DELETE FROM throttle")
            try database.write("DELETE FROM throttle_identifier")
            try database.write("DELETE FROM throttle_source")
            try database.write("DELETE FROM throttle_code")
            try database.write("DELETE FROM throttle_code_network")
        }
    }
}
