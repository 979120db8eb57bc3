import LatchkeyAccounts

extension SQLiteTransaction {
    func failures(in lane: ThrottleLane) throws(AccountError) -> ThrottleFailures? {
        try reading { (database) throws(SQLiteError) in
            switch lane {
            case .account(let id):
                try database.row(
                    """
                    SELECT failures, last_at, total, flood_since, flood_recorded, flood_counted FROM throttle
                        WHERE account_id = ?1
                    """, .id(id)
                ) { (row) throws(SQLiteError) in try failures(row, from: 0) }
            case .nobody(let row):
                try database.row(
                    """
                    SELECT failures, last_at, total, flood_since, flood_recorded, flood_counted FROM throttle
                        WHERE nobody = ?1
                    """, .integer(Int64(row))
                ) { (row) throws(SQLiteError) in try failures(row, from: 0) }
            }
        }
    }

    func setFailures(_ failures: ThrottleFailures?, in lane: ThrottleLane) throws(AccountError) {
        let flood = failures?.refusals
        let (since, recorded, counted): (SQLiteValue, SQLiteValue, SQLiteValue) = (
            .integer(flood?.since.milliseconds), .integer(flood.map { Int64($0.recorded) }),
            .integer(flood.map { Int64($0.counted) })
        )
        try writing { (database) throws(SQLiteError) in
            switch (lane, failures) {
            case (.account(let id), let failures?):
                try database.run(
                    """
                    INSERT INTO throttle (account_id, failures, last_at, flood_since, flood_recorded, flood_counted,
                        total) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                        ON CONFLICT (account_id) DO UPDATE SET failures = ?2, last_at = ?3,
                            flood_since = ?4, flood_recorded = ?5, flood_counted = ?6, total = ?7
                    """, .id(id), .integer(Int64(failures.count)), .time(failures.lastAt), since, recorded, counted,
                    .integer(Int64(failures.total)))
            case (.nobody(let row), let failures?):
                try database.run(
                    """
                    INSERT INTO throttle (nobody, failures, last_at, flood_since, flood_recorded, flood_counted,
                        total) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                        ON CONFLICT (nobody) DO UPDATE SET failures = ?2, last_at = ?3,
                            flood_since = ?4, flood_recorded = ?5, flood_counted = ?6, total = ?7
                    """, .integer(Int64(row)), .integer(Int64(failures.count)), .time(failures.lastAt), since,
                    recorded, counted, .integer(Int64(failures.total)))
            case (.account(let id), nil):
                try database.run("DELETE FROM throttle WHERE account_id = ?1", .id(id))
            case (.nobody(let row), nil):
                try database.run("DELETE FROM throttle WHERE nobody = ?1", .integer(Int64(row)))
            }
        }
    }

    func lanesWithCounts(
        since time: Timestamp, limit: Int
    ) throws(AccountError) -> [(lane: ThrottleLane, failures: ThrottleFailures)] {
        try reading { (database) throws(SQLiteError) in
            try database.rows(
                """
                SELECT account_id, nobody, failures, last_at, total, flood_since, flood_recorded, flood_counted FROM throttle
                    WHERE flood_counted > 0 AND flood_since <= ?1 ORDER BY flood_since, rowid LIMIT ?2
                """, .time(time), .integer(Int64(max(limit, 0)))
            ) { (row) throws(SQLiteError) in (lane: try row.lane(0), failures: try failures(row, from: 2)) }
        }
    }

    private func failures(_ row: SQLiteRow, from column: Int32) throws(SQLiteError) -> ThrottleFailures {
        ThrottleFailures(
            count: Int(try row.integer(column)), lastAt: try row.time(column + 1),
            total: Int(try row.integer(column + 2)), refusals: try row.flood(column + 3))
    }
}
