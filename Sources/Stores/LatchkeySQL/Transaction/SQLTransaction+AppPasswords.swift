package import LatchkeyAccounts

extension SQLTransaction {
    package func insert(_ password: AppPassword) throws(AccountError) {
        try writeRow(
            """
            INSERT INTO app_password (tag, account, name, created_at, last_used_at)
                SELECT ?1, number, ?3, ?4, ?5 FROM account WHERE id = ?2
            """, .bytes(password.tag), .id(password.account), .text(password.name), .time(password.createdAt),
            .integer(password.lastUsedAt?.milliseconds))
    }

    package func appPassword(_ tag: [UInt8]) throws(AccountError) -> AppPassword? {
        try row(
            """
            SELECT tag, id, name, app_password.created_at, last_used_at
                FROM app_password JOIN account ON number = account WHERE tag = ?1
            """, .bytes(tag), make: appPassword)
    }

    package func appPasswords(of account: AccountID) throws(AccountError) -> [AppPassword] {
        try rows(
            """
            SELECT tag, id, name, app_password.created_at, last_used_at
                FROM app_password JOIN account ON number = account WHERE id = ?1
                ORDER BY app_password.created_at, tag
            """, .id(account), make: appPassword)
    }

    package func touchAppPassword(_ tag: [UInt8], at time: Timestamp) throws(AccountError) {
        try write("UPDATE app_password SET last_used_at = ?2 WHERE tag = ?1", .bytes(tag), .time(time))
    }

    package func deleteAppPassword(_ tag: [UInt8]) throws(AccountError) -> Bool {
        try run("DELETE FROM app_password WHERE tag = ?1", .bytes(tag)) > 0
    }

    package func deleteAppPasswords(of account: AccountID) throws(AccountError) {
        try write(
            "DELETE FROM app_password WHERE account = (SELECT number FROM account WHERE id = ?1)", .id(account))
    }

    private func appPassword(_ row: Engine.Row) throws(Failure) -> AppPassword {
        AppPassword(
            tag: try row.bytes(0), account: try row.accountID(1), name: try row.text(2), createdAt: try row.time(3),
            lastUsedAt: try row.optionalTime(4))
    }
}
