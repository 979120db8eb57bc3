package import LatchkeyAccounts

extension SQLTransaction {
    package var hasReservedNames: Bool {
        get throws(AccountError) { try integer("SELECT 1 FROM reserved_name LIMIT 1") != nil }
    }

    package func reservedName(_ name: String) throws(AccountError) -> ReservedName? {
        try row("SELECT name, account_id, expires_at FROM reserved_name WHERE name = ?1", .text(name)) {
            (row) throws(Failure) in
            ReservedName(name: try row.text(0), account: try row.accountID(1), expiresAt: try row.time(2))
        }
    }

    package func reserve(_ name: ReservedName) throws(AccountError) {
        try write(
            """
            INSERT INTO reserved_name (name, account_id, expires_at) VALUES (?1, ?2, ?3)
                ON CONFLICT (name) DO UPDATE SET account_id = ?2, expires_at = ?3
            """, .text(name.name), .id(name.account), .time(name.expiresAt))
    }

    package func deleteReservedName(_ name: String) throws(AccountError) {
        try write("DELETE FROM reserved_name WHERE name = ?1", .text(name))
    }

    package func deleteReservedNames(of account: AccountID, keeping count: Int) throws(AccountError) {
        try write(
            """
            DELETE FROM reserved_name WHERE account_id = ?1 AND name NOT IN (
                SELECT name FROM reserved_name WHERE account_id = ?1 ORDER BY expires_at DESC, name LIMIT ?2)
            """, .id(account), .integer(Int64(max(count, 0))))
    }

    package func deleteReservedNames(expiredBy time: Timestamp) throws(AccountError) {
        try write("DELETE FROM reserved_name WHERE expires_at <= ?1", .time(time))
    }
}
