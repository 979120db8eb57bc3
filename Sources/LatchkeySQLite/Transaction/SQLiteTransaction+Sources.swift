import LatchkeyAccounts

extension SQLiteTransaction {
    func failures(ofSource number: UInt16) throws(AccountError) -> SourceFailures? {
        try reading { (database) throws(SQLiteError) in
            try database.row(
                "SELECT failures, since, last_at, names FROM throttle_source WHERE number = ?1",
                .integer(Int64(number))
            ) { (row) throws(SQLiteError) in
                SourceFailures(
                    count: Int(clamping: try row.integer(0)), since: try row.time(1), lastAt: try row.time(2),
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

    /// Four bytes a name, the most significant first.
    private static func bytes(_ names: [UInt32]) -> [UInt8] {
        names.flatMap { name in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: name >> UInt32($0)) } }
    }

    private static func names(_ bytes: [UInt8]) -> [UInt32] {
        stride(from: 0, to: bytes.count - bytes.count % 4, by: 4).map { start in
            bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
    }
}
