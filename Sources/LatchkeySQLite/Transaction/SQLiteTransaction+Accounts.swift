import LatchkeyAccounts
import LatchkeyForms

extension SQLiteTransaction {
    var hasAccounts: Bool {
        get throws(AccountError) {
            try reading { (database) throws(SQLiteError) in
                try database.integer("SELECT 1 FROM account LIMIT 1") != nil
            }
        }
    }

    func account(_ lookup: AccountLookup) throws(AccountError) -> Account? {
        try reading { (database) throws(SQLiteError) in
            let found =
                switch lookup {
                case .id(let id):
                    try database.row("SELECT * FROM account WHERE id = ?1", .id(id), make: account)
                case .username(let name):
                    try database.row(
                        "SELECT * FROM account WHERE username = ?1", .text(name.prepared), make: account)
                case .email(let address):
                    try database.row("SELECT * FROM account WHERE email = ?1", .text(address.folded), make: account)
                }
            guard var found else { return nil }
            found.attributes = try attributes(of: found.id, in: database)
            return found
        }
    }

    func accounts(
        matching filter: AccountFilter, after name: Username?, limit: Int
    ) throws(AccountError) -> AccountPage {
        try reading { (database) throws(SQLiteError) in
            // No username is empty, so every username comes after the empty one.
            let rows = try database.rows(
                """
                SELECT *,
                    (?3 IS NULL OR ?3 = CASE WHEN verify_by IS NULL THEN state ELSE 'unverified' END
                        OR (?3 = 'must-change' AND must_change_password = 1))
                    AND (?4 IS NULL OR instr(username, ?4) > 0 OR instr(email, ?5) > 0)
                FROM account WHERE username > ?1 ORDER BY username LIMIT ?2
                """, .text(name?.prepared ?? ""), .integer(Int64(max(limit, 0))), .text(filter.state?.rawValue),
                .text(filter.partOfName), .text(filter.partOfAddress)
            ) { (row) throws(SQLiteError) -> (name: Username, account: Account?) in
                let isMatch = try row.integer(AccountColumn.count) != 0
                return (try row.username(), isMatch ? try account(row) : nil)
            }
            var accounts = rows.compactMap(\.account)
            for index in accounts.indices {
                accounts[index].attributes = try attributes(of: accounts[index].id, in: database)
            }
            return AccountPage(accounts: accounts, last: rows.last?.name)
        }
    }

    func unverifiedAccounts(expiredBy time: Timestamp, limit: Int) throws(AccountError) -> [AccountID] {
        try reading { (database) throws(SQLiteError) in
            try database.rows(
                "SELECT id FROM account WHERE verify_by <= ?1 ORDER BY verify_by, id LIMIT ?2", .time(time),
                .integer(Int64(max(limit, 0)))
            ) { (row) throws(SQLiteError) in try row.accountID(0) }
        }
    }

    func insert(_ account: Account) throws(AccountError) {
        try unique(account) { (database) throws(SQLiteError) in
            try database.run(
                """
                INSERT INTO account (id, username, username_typed, email, email_typed, state, created_at, updated_at,
                    must_change_password, password_hash, verify_by, hash_milliseconds, password_generation,
                    password_expires_at)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
                """, values: values(of: account))
            try insertAttributes(of: account, in: database)
        }
    }

    func update(_ account: Account) throws(AccountError) {
        let count = try unique(account) { (database) throws(SQLiteError) in
            let count = try database.run(
                """
                UPDATE account SET username = ?2, username_typed = ?3, email = ?4, email_typed = ?5, state = ?6,
                    updated_at = ?8, must_change_password = ?9, password_hash = ?10, verify_by = ?11,
                    hash_milliseconds = ?12, password_generation = ?13, password_expires_at = ?14 WHERE id = ?1
                """, values: values(of: account))
            guard count > 0 else { return count }
            try database.run("DELETE FROM attribute WHERE account_id = ?1", .id(account.id))
            try insertAttributes(of: account, in: database)
            return count
        }
        guard count > 0 else { throw .noSuchAccount }
    }

    /// The parameters ?1 to ?14 of both statements that write an account.
    private func values(of account: Account) -> [SQLiteValue] {
        [
            .id(account.id), .text(account.username.prepared), .text(account.username.typed),
            .text(account.email.folded), .text(account.email.typed), .text(account.state.rawValue),
            .time(account.createdAt), .time(account.updatedAt), .integer(account.mustChangePassword ? 1 : 0),
            .text(account.passwordHash?.phc), .integer(account.verifyBy?.milliseconds),
            .cost(account.passwordHash?.milliseconds ?? 0), .integer(Int64(account.passwordGeneration)),
            .integer(account.passwordExpiresAt?.milliseconds),
        ]
    }

    func deleteAccount(_ id: AccountID) throws(AccountError) -> Bool {
        try writing { (database) throws(SQLiteError) in
            try database.run("DELETE FROM account WHERE id = ?1", .id(id)) > 0
        }
    }

    /// Finds out which unique value belongs to another account if the database reports a conflict.
    private func unique<Value>(
        _ account: Account, _ body: (SQLiteConnection) throws(SQLiteError) -> Value
    ) throws(AccountError) -> Value {
        try writing(
            refusal: { error in
                guard error.isUniqueViolation else { return nil }
                let id = SQLiteValue.id(account.id)
                let holdsName = try? connection.integer(
                    "SELECT 1 FROM account WHERE username = ?1 AND id <> ?2", .text(account.username.prepared), id)
                if holdsName != nil { return .taken(field: .username) }
                let holdsAddress = try? connection.integer(
                    "SELECT 1 FROM account WHERE email = ?1 AND id <> ?2", .text(account.email.folded), id)
                if holdsAddress != nil { return .taken(field: .email) }
                let isThere = try? connection.integer("SELECT 1 FROM account WHERE id = ?1", id)
                return isThere != nil ? .taken(field: .accountID) : nil
            }, body)
    }

    private func insertAttributes(of account: Account, in database: SQLiteConnection) throws(SQLiteError) {
        for (key, value) in account.attributes {
            try database.run(
                "INSERT INTO attribute (account_id, key, value) VALUES (?1, ?2, ?3)", .id(account.id), .text(key),
                .text(value))
        }
    }

    private func attributes(of id: AccountID, in database: SQLiteConnection) throws(SQLiteError) -> [String: String] {
        let pairs = try database.rows("SELECT key, value FROM attribute WHERE account_id = ?1", .id(id)) {
            (row) throws(SQLiteError) in (try row.text(0), try row.text(1))
        }
        // Swift may treat two keys as equal although their bytes differ: the last one wins.
        return Dictionary(pairs) { $1 }
    }

    private func account(_ row: SQLiteRow) throws(SQLiteError) -> Account {
        var account = Account(
            id: try row.accountID(column(.id)), username: try row.username(),
            email: EmailAddress(storedAs: try row.text(column(.emailTyped)), folded: try row.text(column(.email))),
            state: try row.value(column(.state), of: AccountState.self), createdAt: try row.time(column(.createdAt)),
            mustChangePassword: try row.integer(column(.mustChangePassword), in: .flag) == 1,
            verifyBy: try row.optionalTime(column(.verifyBy)), passwordHash: nil)
        if let hash = try row.optionalText(column(.passwordHash)) {
            account.passwordHash = PasswordHash(phc: hash, milliseconds: try row.cost(column(.hashMilliseconds)))
        }
        account.passwordGeneration = try row.count(column(.passwordGeneration))
        account.passwordExpiresAt = try row.optionalTime(column(.passwordExpiresAt))
        account.updatedAt = try row.time(column(.updatedAt))
        return account
    }

    private func column(_ column: AccountColumn) -> Int32 { column.rawValue }
}

/// The columns of the table `account` in the order of the migrations, which is the order of `SELECT *`.
enum AccountColumn: Int32, CaseIterable {
    case id, username, usernameTyped, email, emailTyped, state, createdAt, updatedAt, mustChangePassword, passwordHash
    case verifyBy, hashMilliseconds, passwordGeneration, sealingKey, passwordExpiresAt

    /// The index of the first column after `SELECT *`.
    static let count = Int32(allCases.count)
}

extension SQLiteRow {
    fileprivate func username() throws(SQLiteError) -> Username {
        Username(
            storedAs: try text(AccountColumn.usernameTyped.rawValue),
            prepared: try text(AccountColumn.username.rawValue))
    }
}
