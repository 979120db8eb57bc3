import LatchkeyAccounts
import LatchkeyForms
import LatchkeyText

extension PostgresTransaction {
    var hasAccounts: Bool {
        get throws(AccountError) {
            try reading { (database) throws(PostgresError) in
                try database.integer("SELECT 1 FROM account LIMIT 1") != nil
            }
        }
    }

    func account(_ lookup: AccountLookup) throws(AccountError) -> Account? {
        try reading { (database) throws(PostgresError) in
            switch lookup {
            case .id(let id):
                try database.row("SELECT * FROM stored_account WHERE id = $1", .id(id), make: account)
            case .username(let name):
                try database.row(
                    "SELECT * FROM stored_account WHERE login_name = $1", .text(name.prepared), make: account)
            case .email(let address):
                try database.row("SELECT * FROM stored_account WHERE email = $1", .text(address.folded), make: account)
            }
        }
    }

    func hasAccount(
        _ username: Username?, _ email: EmailAddress, _ id: AccountID?
    ) throws(AccountError) -> Bool {
        try reading { (database) throws(PostgresError) in
            // Comparing with NULL finds nothing.
            try database.integer(
                """
                SELECT 1 WHERE EXISTS (SELECT 1 FROM account WHERE login_name = $1)
                    OR EXISTS (SELECT 1 FROM account WHERE email = $2) OR EXISTS (SELECT 1 FROM account WHERE id = $3)
                """, .text(username?.prepared), .text(email.folded), .bytes(id?.bytes)) != nil
        }
    }

    func accounts(
        matching filter: AccountFilter, after name: LoginName?, limit: Int
    ) throws(AccountError) -> AccountPage {
        try reading { (database) throws(PostgresError) in
            // No name is empty, so every name comes after the empty one.
            let rows = try database.rows(
                """
                SELECT *,
                    ($3::text IS NULL OR $3 = CASE WHEN verify_by IS NOT NULL THEN 'unverified'
                            WHEN state = 1 THEN 'disabled' ELSE 'active' END
                        OR ($3 = 'must-change' AND must_change_password = 1))
                    AND ($4::bytea IS NULL OR position($4::bytea IN login_name) > 0
                        OR position($5::bytea IN email) > 0)
                FROM stored_account WHERE login_name > $1 ORDER BY login_name LIMIT $2
                """, .text(name?.text ?? ""), .integer(Int64(max(limit, 0))), .text(filter.state?.rawValue),
                .text(filter.partOfName), .text(filter.partOfAddress)
            ) { (row) throws(PostgresError) -> (name: LoginName, account: Account?) in
                let isMatch = try row.integer(AccountColumn.count) != 0
                return (LoginName(stored: try row.text(column(.loginName))), isMatch ? try account(row) : nil)
            }
            return AccountPage(accounts: rows.compactMap(\.account), last: rows.last?.name)
        }
    }

    func unverifiedAccounts(expiredBy time: Timestamp, limit: Int) throws(AccountError) -> [AccountID] {
        try reading { (database) throws(PostgresError) in
            try database.rows(
                "SELECT id FROM account WHERE verify_by <= $1 ORDER BY verify_by, id LIMIT $2", .time(time),
                .integer(Int64(max(limit, 0)))
            ) { (row) throws(PostgresError) in try row.accountID(0) }
        }
    }

    func insert(_ account: Account) throws(AccountError) {
        let count = try writing { (database) throws(PostgresError) in
            let (kind, values) = try values(of: account)
            let count = try database.run(
                """
                INSERT INTO account (id, login_name, username_typed, email, email_typed, state, updated_at,
                    email_verified_at, verify_by, must_change_password, password_generation, password_expires_at,
                    hash_kind, password_hash, attributes, created_at)
                VALUES ($1, $2, $3, $4, $5, $6, nullif($7::bigint, $16::bigint), $8, $9, $10, $11, $12, $13, $14, $15, $16)
                ON CONFLICT DO NOTHING
                """, values: values + [.time(account.createdAt)])
            if count > 0 { hashKinds.add(1, to: kind) }
            return count
        }
        guard count > 0 else { throw try conflict(with: account) ?? .taken(field: .accountID) }
    }

    func insert(_ accounts: [Account]) throws(AccountError) -> [Int: FieldKey] {
        guard !accounts.isEmpty else { return [:] }
        let stored = try storedValues(of: accounts)
        var taken: [Int: FieldKey] = [:]
        try writing { (database) throws(PostgresError) in
            var rows: [[PostgresValue]] = []
            rows.reserveCapacity(accounts.count)
            for (index, account) in accounts.enumerated() {
                if let field = stored.field(of: account) {
                    taken[index] = field
                    continue
                }
                var (kind, values) = try values(of: account)
                if account.updatedAt == account.createdAt { values[6] = .null }
                hashKinds.add(1, to: kind)
                rows.append(values + [.time(account.createdAt)])
            }
            try database.copy(
                rows,
                by: """
                    COPY account (id, login_name, username_typed, email, email_typed, state, updated_at,
                        email_verified_at, verify_by, must_change_password, password_generation, password_expires_at,
                        hash_kind, password_hash, attributes, created_at) FROM STDIN BINARY
                    """)
        }
        return taken
    }

    /// The unique values of stored accounts that any of `accounts` has too.
    private func storedValues(of accounts: [Account]) throws(AccountError) -> StoredValues {
        try reading { (database) throws(PostgresError) in
            let rows = try database.rows(
                """
                SELECT 0, login_name FROM account WHERE login_name = ANY ($1)
                    UNION ALL SELECT 1, email FROM account WHERE email = ANY ($2)
                    UNION ALL SELECT 2, uuid_send(id) FROM account WHERE id = ANY ($3)
                """, .list(accounts.map { Array($0.loginName.text.utf8) }, of: .bytea),
                .list(accounts.map { Array($0.email.folded.utf8) }, of: .bytea),
                .list(accounts.map(\.id.bytes), of: .uuid)
            ) { (row) throws(PostgresError) in (try row.integer(0), try row.bytes(1)) }
            var stored = StoredValues()
            for (kind, value) in rows { stored.insert(value, kind) }
            return stored
        }
    }

    func update(_ account: Account) throws(AccountError) {
        // A violated constraint would undo the transaction. No other writer can add a conflict in between.
        if let conflict = try conflict(with: account) { throw conflict }
        let count = try writing { (database) throws(PostgresError) in
            guard let old = try hashKind(of: account.id, in: database) else { return 0 }
            let (kind, values) = try values(of: account)
            hashKinds.add(-1, to: old)
            hashKinds.add(1, to: kind)
            return try database.run(
                """
                UPDATE account SET login_name = $2, username_typed = $3, email = $4, email_typed = $5, state = $6,
                    updated_at = nullif($7, created_at), email_verified_at = $8, verify_by = $9,
                    must_change_password = $10, password_generation = $11, password_expires_at = $12, hash_kind = $13,
                    password_hash = $14, attributes = $15
                WHERE id = $1
                """, values: values)
        }
        guard count > 0 else { throw .noSuchAccount }
    }

    /// The kind of the account's hash and the parameters $1 to $15 of both statements that write an account.
    private func values(of account: Account) throws(PostgresError) -> (kind: Int64?, values: [PostgresValue]) {
        let hash = try account.passwordHash.map { (hash) throws(PostgresError) in try stored(hash) }
        let (loginName, email) = (account.loginName.text, account.email)
        return (
            hash?.kind,
            [
                .id(account.id), .text(loginName), .text(account.username?.typed ?? loginName, unless: loginName),
                .text(email.folded), .text(email.typed, unless: email.folded),
                .integer(account.state == .disabled ? 1 : 0), .time(account.updatedAt),
                .integer(account.emailVerifiedAt?.milliseconds), .integer(account.verifyBy?.milliseconds),
                .integer(account.mustChangePassword ? 1 : 0), .integer(Int64(account.passwordGeneration)),
                .integer(account.passwordExpiresAt?.milliseconds), .integer(hash?.kind),
                .text(hash.map { String($0.rest) }),
                .text(account.attributes.isEmpty ? nil : JSONValue.object(values: account.attributes).encoded),
            ]
        )
    }

    func deleteAccount(_ id: AccountID) throws(AccountError) -> Bool {
        try writing { (database) throws(PostgresError) in
            guard let old = try hashKind(of: id, in: database) else { return false }
            hashKinds.add(-1, to: old)
            return try database.run("DELETE FROM account WHERE id = $1", .id(id)) > 0
        }
    }

    /// Which unique value of the account belongs to another one; nil if none does.
    private func conflict(with account: Account) throws(AccountError) -> AccountError? {
        try reading { (database) throws(PostgresError) in
            let (id, name) = (PostgresValue.id(account.id), PostgresValue.text(account.loginName.text))
            if try database.integer("SELECT 1 FROM account WHERE login_name = $1 AND id <> $2", name, id) != nil {
                return .taken(field: account.username == nil ? .email : .username)
            }
            let address = PostgresValue.text(account.email.folded)
            let other = try database.integer("SELECT 1 FROM account WHERE email = $1 AND id <> $2", address, id)
            return other == nil ? nil : .taken(field: .email)
        }
    }

    private func account(_ row: PostgresRow) throws(PostgresError) -> Account {
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
    private func username(_ row: PostgresRow) throws(PostgresError) -> Username? {
        let prepared = try row.text(column(.loginName))
        guard !LoginName(stored: prepared).isAddress else { return nil }
        return Username(storedAs: try row.optionalText(column(.usernameTyped)) ?? prepared, prepared: prepared)
    }

    private func hash(_ row: PostgresRow) throws(PostgresError) -> PasswordHash? {
        guard let rest = try row.optionalText(column(.passwordHash)) else { return nil }
        return try row.hash(from: column(.hashKind), rest: rest)
    }

    private func column(_ column: AccountColumn) -> Int32 { column.rawValue }
}

/// Unique values of stored accounts.
private struct StoredValues {
    private var loginNames: Set<[UInt8]> = []
    private var addresses: Set<[UInt8]> = []
    private var ids: Set<[UInt8]> = []

    mutating func insert(_ value: [UInt8], _ kind: Int64) {
        switch kind {
        case 0: loginNames.insert(value)
        case 1: addresses.insert(value)
        default: ids.insert(value)
        }
    }

    /// The taken field of a new account; nil if none is.
    func field(of account: Account) -> FieldKey? {
        if loginNames.contains(Array(account.loginName.text.utf8)) {
            return account.username == nil ? .email : .username
        }
        if addresses.contains(Array(account.email.folded.utf8)) { return .email }
        return ids.contains(account.id.bytes) ? .accountID : nil
    }
}

/// The columns of the view `stored_account`, in its order.
enum AccountColumn: Int32, CaseIterable {
    case number, id, loginName, usernameTyped, email, emailTyped, state, createdAt, updatedAt, emailVerifiedAt
    case verifyBy, mustChangePassword, passwordGeneration, passwordExpiresAt, hashKind, prefix, milliseconds
    case passwordHash, attributes

    /// The index of the first column after `SELECT *`.
    static let count = Int32(allCases.count)
}

extension PostgresValue {
    /// Binds text, or NULL where it equals `other`.
    fileprivate static func text(_ text: String, unless other: String) -> PostgresValue {
        text.hasSameBytes(as: other) ? .null : .text(text)
    }
}
