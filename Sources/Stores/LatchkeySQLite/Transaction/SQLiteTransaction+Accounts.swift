import LatchkeyAccounts
import LatchkeyForms
import LatchkeyText

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
            switch lookup {
            case .id(let id):
                try database.row("SELECT * FROM stored_account WHERE id = ?1", .id(id), make: account)
            case .username(let name):
                try database.row(
                    "SELECT * FROM stored_account WHERE login_name = ?1", .text(name.prepared), make: account)
            case .email(let address):
                try database.row("SELECT * FROM stored_account WHERE email = ?1", .text(address.folded), make: account)
            }
        }
    }

    func hasAccount(
        _ username: Username?, _ email: EmailAddress, _ id: AccountID?
    ) throws(AccountError) -> Bool {
        try reading { (database) throws(SQLiteError) in
            // Comparing with NULL finds nothing.
            try database.integer(
                """
                SELECT 1 WHERE EXISTS (SELECT 1 FROM account WHERE login_name = ?1)
                    OR EXISTS (SELECT 1 FROM account WHERE email = ?2) OR EXISTS (SELECT 1 FROM account WHERE id = ?3)
                """, .text(username?.prepared), .text(email.folded), .bytes(id?.bytes)) != nil
        }
    }

    func accounts(
        matching filter: AccountFilter, after name: LoginName?, limit: Int
    ) throws(AccountError) -> AccountPage {
        try reading { (database) throws(SQLiteError) in
            // No name is empty, so every name comes after the empty one.
            let rows = try database.rows(
                """
                SELECT *,
                    (?3 IS NULL OR ?3 = CASE WHEN verify_by IS NOT NULL THEN 'unverified' WHEN state THEN 'disabled'
                            ELSE 'active' END
                        OR (?3 = 'must-change' AND must_change_password = 1))
                    AND (?4 IS NULL OR instr(login_name, ?4) > 0 OR instr(email, ?5) > 0)
                FROM stored_account WHERE login_name > ?1 ORDER BY login_name LIMIT ?2
                """, .text(name?.text ?? ""), .integer(Int64(max(limit, 0))), .text(filter.state?.rawValue),
                .text(filter.partOfName), .text(filter.partOfAddress)
            ) { (row) throws(SQLiteError) -> (name: LoginName, account: Account?) in
                let isMatch = try row.integer(AccountColumn.count) != 0
                return (LoginName(stored: try row.text(column(.loginName))), isMatch ? try account(row) : nil)
            }
            return AccountPage(accounts: rows.compactMap(\.account), last: rows.last?.name)
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
            let hash = try stored(account.passwordHash)
            try database.run(
                """
                INSERT INTO account (id, login_name, username_typed, email, email_typed, state, created_at, updated_at,
                    email_verified_at, verify_by, must_change_password, password_generation, password_expires_at,
                    hash_kind, password_hash, attributes)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
                """
            ) { (parameters) throws(SQLiteError) in try parameters.bind(account, hash) }
            hashKinds.add(1, to: hash?.kind)
        }
    }

    func update(_ account: Account) throws(AccountError) {
        let count = try unique(account) { (database) throws(SQLiteError) in
            guard let old = try hashKind(of: account.id, in: database) else { return 0 }
            let hash = try stored(account.passwordHash)
            hashKinds.add(-1, to: old)
            hashKinds.add(1, to: hash?.kind)
            return try database.run(
                """
                UPDATE account SET login_name = ?2, username_typed = ?3, email = ?4, email_typed = ?5, state = ?6,
                    updated_at = nullif(?17, created_at), email_verified_at = ?9, verify_by = ?10,
                    must_change_password = ?11, password_generation = ?12, password_expires_at = ?13, hash_kind = ?14,
                    password_hash = ?15, attributes = ?16
                WHERE id = ?1
                """
            ) { (parameters) throws(SQLiteError) in
                try parameters.bind(account, hash)
                try parameters.bind(account.updatedAt.milliseconds)
            }
        }
        guard count > 0 else { throw .noSuchAccount }
    }

    private func stored(_ hash: PasswordHash?) throws(SQLiteError) -> (kind: Int64, rest: Substring)? {
        try hash.map { (hash) throws(SQLiteError) in try stored(hash) }
    }

    func deleteAccount(_ id: AccountID) throws(AccountError) -> Bool {
        try writing { (database) throws(SQLiteError) in
            guard let old = try hashKind(of: id, in: database) else { return false }
            hashKinds.add(-1, to: old)
            return try database.run("DELETE FROM account WHERE id = ?1", .id(id)) > 0
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
                    "SELECT 1 FROM account WHERE login_name = ?1 AND id <> ?2", .text(account.loginName.text), id)
                if holdsName != nil { return .taken(field: account.username == nil ? .email : .username) }
                let holdsAddress = try? connection.integer(
                    "SELECT 1 FROM account WHERE email = ?1 AND id <> ?2", .text(account.email.folded), id)
                if holdsAddress != nil { return .taken(field: .email) }
                let isThere = try? connection.integer("SELECT 1 FROM account WHERE id = ?1", id)
                return isThere != nil ? .taken(field: .accountID) : nil
            }, body)
    }

    private func account(_ row: SQLiteRow) throws(SQLiteError) -> Account {
        let createdAt = try row.time(column(.createdAt))
        let email = try row.text(column(.email))
        var account = Account(
            id: try row.accountID(column(.id)), username: try username(row),
            email: EmailAddress(storedAs: try row.optionalText(column(.emailTyped)) ?? email, folded: email),
            state: try row.value(column(.state), in: [AccountState.active, .disabled]), createdAt: createdAt,
            mustChangePassword: try row.integer(column(.mustChangePassword), in: .flag) == 1,
            verifyBy: try row.optionalTime(column(.verifyBy)), passwordHash: try hash(row))
        account.emailVerifiedAt = try row.optionalTime(column(.emailVerifiedAt))
        account.passwordGeneration = try row.count(column(.passwordGeneration))
        account.passwordExpiresAt = try row.optionalTime(column(.passwordExpiresAt))
        account.updatedAt = try row.optionalTime(column(.updatedAt)) ?? createdAt
        if let attributes = try row.optionalText(column(.attributes)) {
            guard let values = JSONValue(line: attributes.utf8)?.fieldValues else { throw .corrupt }
            account.attributes = values
        }
        return account
    }

    /// Nil if the login name is an e-mail address, which no username can be.
    private func username(_ row: SQLiteRow) throws(SQLiteError) -> Username? {
        let prepared = try row.text(column(.loginName))
        guard !LoginName(stored: prepared).isAddress else { return nil }
        return Username(storedAs: try row.optionalText(column(.usernameTyped)) ?? prepared, prepared: prepared)
    }

    private func hash(_ row: SQLiteRow) throws(SQLiteError) -> PasswordHash? {
        guard let rest = try row.optionalText(column(.passwordHash)) else { return nil }
        return try row.hash(from: column(.hashKind), rest: rest)
    }

    private func column(_ column: AccountColumn) -> Int32 { column.rawValue }
}

/// The columns of the view `stored_account`, in its order.
enum AccountColumn: Int32, CaseIterable {
    case number, id, loginName, usernameTyped, email, emailTyped, state, createdAt, updatedAt, emailVerifiedAt
    case verifyBy, mustChangePassword, passwordGeneration, passwordExpiresAt, hashKind, prefix, milliseconds
    case passwordHash, attributes

    /// The index of the first column after `SELECT *`.
    static let count = Int32(allCases.count)
}

extension SQLiteStatement.Parameters {
    /// Binds ?1 to ?16 of both statements that write an account.
    fileprivate mutating func bind(
        _ account: Account, _ hash: (kind: Int64, rest: Substring)?
    ) throws(SQLiteError) {
        let (loginName, email) = (account.loginName.text, account.email)
        try bind(blob: account.id.bytes.span)
        try bind(text: loginName.utf8Span.span)
        try bind(account.username?.typed ?? loginName, unless: loginName)
        try bind(text: email.folded.utf8Span.span)
        try bind(email.typed, unless: email.folded)
        try bind(account.state == .disabled ? 1 : 0)
        try bind(account.createdAt.milliseconds)
        try bind(account.updatedAt == account.createdAt ? nil : account.updatedAt.milliseconds)
        try bind(account.emailVerifiedAt?.milliseconds)
        try bind(account.verifyBy?.milliseconds)
        try bind(account.mustChangePassword ? 1 : 0)
        try bind(Int64(account.passwordGeneration))
        try bind(account.passwordExpiresAt?.milliseconds)
        try bind(hash?.kind)
        if let hash { try bind(text: hash.rest.utf8Span.span) } else { try bindNull() }
        if account.attributes.isEmpty {
            try bindNull()
        } else {
            try bind(text: JSONValue.object(values: account.attributes).encoded.utf8Span.span)
        }
    }

    /// Binds text, or NULL where it equals `other`.
    private mutating func bind(_ text: String, unless other: String) throws(SQLiteError) {
        if text.hasSameBytes(as: other) { try bindNull() } else { try bind(text: text.utf8Span.span) }
    }
}
