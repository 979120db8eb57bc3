package import LatchkeyAccounts
package import LatchkeyForms
import LatchkeyText

extension SQLTransaction {
    package var hasAccounts: Bool {
        get throws(AccountError) {
            try reading { (database) throws(Failure) in
                try database.integer("SELECT 1 FROM account LIMIT 1") != nil
            }
        }
    }

    package func account(_ lookup: AccountLookup) throws(AccountError) -> Account? {
        try reading { (database) throws(Failure) in
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

    package func hasAccount(
        _ username: Username?, _ email: EmailAddress, _ id: AccountID?
    ) throws(AccountError) -> Bool {
        try reading { (database) throws(Failure) in
            // Comparing with NULL finds nothing.
            try database.integer(
                """
                SELECT 1 WHERE EXISTS (SELECT 1 FROM account WHERE login_name = ?1)
                    OR EXISTS (SELECT 1 FROM account WHERE email = ?2) OR EXISTS (SELECT 1 FROM account WHERE id = ?3)
                """, .text(username?.prepared), .text(email.folded), .bytes(id?.bytes)) != nil
        }
    }

    package func accounts(
        matching filter: AccountFilter, after name: LoginName?, limit: Int
    ) throws(AccountError) -> AccountPage {
        try reading { (database) throws(Failure) in
            // No name is empty, so every name comes after the empty one.
            let rows = try database.rows(
                Engine.accountPage, .text(name?.text ?? ""), .integer(Int64(max(limit, 0))),
                .text(filter.state?.rawValue),
                .text(filter.partOfName), .text(filter.partOfAddress)
            ) { (row) throws(Failure) -> (name: LoginName, account: Account?) in
                let isMatch = try row.integer(AccountColumn.count) != 0
                return (LoginName(stored: try row.text(column(.loginName))), isMatch ? try account(row) : nil)
            }
            return AccountPage(accounts: rows.compactMap(\.account), last: rows.last?.name)
        }
    }

    package func unverifiedAccounts(expiredBy time: Timestamp, limit: Int) throws(AccountError) -> [AccountID] {
        try reading { (database) throws(Failure) in
            try database.rows(
                "SELECT id FROM account WHERE verify_by <= ?1 ORDER BY verify_by, id LIMIT ?2", .time(time),
                .integer(Int64(max(limit, 0)))
            ) { (row) throws(Failure) in try row.accountID(0) }
        }
    }

    package func insert(_ account: Account) throws(AccountError) { try Engine.insert(account, by: self) }

    package func insert(_ accounts: [Account]) throws(AccountError) -> [Int: FieldKey] {
        try Engine.insert(accounts, by: self)
    }

    package func update(_ account: Account) throws(AccountError) { try Engine.update(account, by: self) }

    package func deleteAccount(_ id: AccountID) throws(AccountError) -> Bool {
        try writing { (database) throws(Failure) in
            guard let old = try hashKind(of: id, in: database) else { return false }
            hashKinds.add(-1, to: old)
            return try database.run("DELETE FROM account WHERE id = ?1", .id(id)) > 0
        }
    }

    private func account(_ row: Engine.Row) throws(Failure) -> Account {
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
    private func username(_ row: Engine.Row) throws(Failure) -> Username? {
        let prepared = try row.text(column(.loginName))
        guard !LoginName(stored: prepared).isAddress else { return nil }
        return Username(storedAs: try row.optionalText(column(.usernameTyped)) ?? prepared, prepared: prepared)
    }

    private func hash(_ row: Engine.Row) throws(Failure) -> PasswordHash? {
        guard let rest = try row.optionalText(column(.passwordHash)) else { return nil }
        return try row.hash(from: column(.hashKind), rest: rest)
    }

    private func column(_ column: AccountColumn) -> Int32 { column.rawValue }
}

/// The columns of the view `stored_account`, in its order.
package enum AccountColumn: Int32, CaseIterable {
    case number, id, loginName, usernameTyped, email, emailTyped, state, createdAt, updatedAt, emailVerifiedAt
    case verifyBy, mustChangePassword, passwordGeneration, passwordExpiresAt, hashKind, prefix, milliseconds
    case passwordHash, attributes

    /// The index of the first column after `SELECT *`.
    static let count = Int32(allCases.count)
}
