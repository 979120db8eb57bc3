import LatchkeyAccounts

extension SQLiteTransaction {
    func failures(in lane: ThrottleLane) throws(AccountError) -> ThrottleFailures? {
        try reading { (database) throws(SQLiteError) in
            switch lane {
            case .account(let id):
                try database.row(
                    "SELECT failures, last_at FROM throttle WHERE account_id = ?1", .id(id), make: failures)
            case .nobody(let row):
                try database.row(
                    "SELECT failures, last_at FROM throttle WHERE nobody = ?1", .integer(Int64(row)), make: failures)
            }
        }
    }

    func setFailures(_ failures: ThrottleFailures?, in lane: ThrottleLane) throws(AccountError) {
        try writing { (database) throws(SQLiteError) in
            switch (lane, failures) {
            case (.account(let id), let failures?):
                try database.run(
                    """
                    INSERT INTO throttle (account_id, failures, last_at) VALUES (?1, ?2, ?3)
                        ON CONFLICT (account_id) DO UPDATE SET failures = ?2, last_at = ?3
                    """, .id(id), .integer(Int64(failures.count)), .time(failures.lastAt))
            case (.nobody(let row), let failures?):
                try database.run(
                    """
                    INSERT INTO throttle (nobody, failures, last_at) VALUES (?1, ?2, ?3)
                        ON CONFLICT (nobody) DO UPDATE SET failures = ?2, last_at = ?3
                    """, .integer(Int64(row)), .integer(Int64(failures.count)), .time(failures.lastAt))
            case (.account(let id), nil):
                try database.run("DELETE FROM throttle WHERE account_id = ?1", .id(id))
            case (.nobody(let row), nil):
                try database.run("DELETE FROM throttle WHERE nobody = ?1", .integer(Int64(row)))
            }
        }
    }

    private func failures(_ row: SQLiteRow) throws(SQLiteError) -> ThrottleFailures {
        ThrottleFailures(count: Int(try row.integer(0)), lastAt: try row.time(1))
    }
}
