import LatchkeyAccounts

extension SQLiteTransaction {
    var clockMark: ClockMark {
        get throws(AccountError) {
            try reading { (database) throws(SQLiteError) in
                let mark = try database.row("SELECT clock_seen, clock_highest FROM store") {
                    (row) throws(SQLiteError) in ClockMark(seen: try row.time(0), highest: try row.time(1))
                }
                guard let mark else { throw .corrupt }
                return mark
            }
        }
    }

    func setClockMark(_ mark: ClockMark) throws(AccountError) {
        try writing { (database) throws(SQLiteError) in
            try database.run(
                "UPDATE store SET clock_seen = ?1, clock_highest = ?2", .time(mark.seen), .time(mark.highest))
        }
    }

    func deleteSessions(createdBy creation: Timestamp, lastUsedBy use: Timestamp) throws(AccountError) -> Int {
        try writing { (database) throws(SQLiteError) in
            try database.run(
                "DELETE FROM session WHERE created_at <= ?1 OR last_used_at <= ?2", .time(creation), .time(use))
        }
    }

    func revokeEverything(throttles: Bool) throws(AccountError) {
        try writing { (database) throws(SQLiteError) in
            try database.run("DELETE FROM session")
            try database.run("DELETE FROM recovery_request")
            try database.run("DELETE FROM outbox WHERE expires_at IS NOT NULL")
            guard throttles else { return }
            try database.run("DELETE FROM throttle")
            try database.run("DELETE FROM throttle_source")
        }
    }
}
