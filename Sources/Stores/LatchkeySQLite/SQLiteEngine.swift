package import LatchkeyAccounts
package import LatchkeyForms
package import LatchkeySQL
import LatchkeyText

package typealias SQLiteTransaction = SQLTransaction<SQLiteConnection>

extension SQLiteRow: SQLRow {}
extension SQLiteValue: SQLValue {}

extension SQLiteError: SQLFailure {
    /// Always false: SQLite itself waits for locks before it fails.
    package var mayRepeat: Bool { false }
}

/// The operations specific to SQLite. Accounts are bound without arrays, because an import binds millions. The indexes
/// detect conflicts.
extension SQLiteConnection: SQLEngine {
    package static let tables = SQLiteSchema.tables

    package static func statements(of migration: Migration) -> [StaticString] { migration.sqlite }

    /// Creates the tables of a new store, in the open transaction.
    func createStore(_ id: [UInt8], _ migrations: [Migration]) throws(SQLiteError) {
        try createTables()
        try run("INSERT INTO store (number, id) VALUES (1, ?1)", .bytes(id))
        try run(migrations, after: Migration.firstSchema, key: nil)
    }

    package func insert(records: [[Value]]) throws(SQLiteError) {
        for values in records {
            try write(
                """
                INSERT INTO audit (sequence, time, event, account_id, actor_uid, request_id, reason, hash,
                        version, since_boot, boot_id, acting_account_id, process_uid, source, app_version,
                        actor_token, actor_client)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
                """, values: values)
        }
    }

    package static let serverTime: StaticString? = nil

    package static let accountPage: StaticString = """
        SELECT *,
            (?3 IS NULL OR ?3 = CASE WHEN verify_by IS NOT NULL THEN 'unverified' WHEN state THEN 'disabled'
                    ELSE 'active' END
                OR (?3 = 'must-change' AND must_change_password = 1)
                OR (?3 = 'locked' AND EXISTS (
                    SELECT 1 FROM throttle WHERE account = stored_account.number AND failures > 0)))
            AND (?4 IS NULL OR instr(login_name, ?4) > 0 OR instr(email, ?5) > 0)
            AND (?6 IS NULL OR NOT EXISTS (
                    SELECT 1 FROM authenticator WHERE account = stored_account.number AND is_confirmed = 1)
                AND NOT EXISTS (SELECT 1 FROM passkey WHERE account = stored_account.number))
        FROM stored_account WHERE login_name > ?1 ORDER BY login_name LIMIT ?2
        """

    /// Starts with the members of the group: without statistics, SQLite would read the accounts in the order of their
    /// names.
    package static let memberPage: StaticString = """
        SELECT stored_account.*,
            (?3 IS NULL OR ?3 = CASE WHEN verify_by IS NOT NULL THEN 'unverified' WHEN state THEN 'disabled'
                    ELSE 'active' END
                OR (?3 = 'must-change' AND must_change_password = 1)
                OR (?3 = 'locked' AND EXISTS (
                    SELECT 1 FROM throttle WHERE account = stored_account.number AND failures > 0)))
            AND (?4 IS NULL OR instr(login_name, ?4) > 0 OR instr(email, ?5) > 0)
            AND (?6 IS NULL OR NOT EXISTS (
                    SELECT 1 FROM authenticator WHERE account = stored_account.number AND is_confirmed = 1)
                AND NOT EXISTS (SELECT 1 FROM passkey WHERE account = stored_account.number))
        FROM group_member CROSS JOIN stored_account ON stored_account.number = group_member.account
        WHERE user_group = (SELECT number FROM user_group WHERE name = ?7) AND login_name > ?1
        ORDER BY login_name LIMIT ?2
        """

    package static let searchPage: StaticString = """
        SELECT stored_account.*,
            (?3 IS NULL OR ?3 = CASE WHEN verify_by IS NOT NULL THEN 'unverified' WHEN state THEN 'disabled'
                    ELSE 'active' END
                OR (?3 = 'must-change' AND must_change_password = 1)
                OR (?3 = 'locked' AND EXISTS (
                    SELECT 1 FROM throttle WHERE account = stored_account.number AND failures > 0)))
            AND (?6 IS NULL OR NOT EXISTS (
                    SELECT 1 FROM authenticator WHERE account = stored_account.number AND is_confirmed = 1)
                AND NOT EXISTS (SELECT 1 FROM passkey WHERE account = stored_account.number))
            AND (?7 IS NULL OR EXISTS (
                    SELECT 1 FROM group_member WHERE account = stored_account.number
                        AND user_group = (SELECT number FROM user_group WHERE name = ?7)))
        FROM (SELECT number AS found FROM (SELECT number FROM account
                    WHERE login_name > ?1 AND login_name >= ?4 AND login_name < ?8 ORDER BY login_name LIMIT 5000)
                UNION SELECT number FROM (SELECT number FROM account
                    WHERE email >= ?5 AND email < ?9 ORDER BY email LIMIT 5000))
            CROSS JOIN stored_account ON stored_account.number = found
        WHERE login_name > ?1 ORDER BY login_name LIMIT ?2
        """

    package static let groupsOfAccount: StaticString = """
        SELECT group_concat(name, ' ') FROM group_member JOIN user_group ON user_group.number = user_group
            WHERE account = (SELECT number FROM account WHERE id = ?1)
        """

    package static let addToGroups: StaticString = """
        INSERT INTO group_member (user_group, account)
            SELECT user_group.number, account.number
                FROM account CROSS JOIN json_each('["' || replace(?2, ' ', '","') || '"]') AS joined
                    CROSS JOIN user_group ON name = joined.value
                WHERE account.id = ?1
            ON CONFLICT DO NOTHING
        """

    package static let removeFromGroups: StaticString = """
        DELETE FROM group_member WHERE account = (SELECT number FROM account WHERE id = ?1)
            AND user_group IN (SELECT number FROM user_group
                WHERE name IN (SELECT value FROM json_each('["' || replace(?2, ' ', '","') || '"]')))
        """

    package static func groups(
        of accounts: [AccountID], in transaction: SQLiteTransaction
    ) throws(AccountError) -> [AccountID: [GroupName]] {
        var groups: [AccountID: [GroupName]] = [:]
        for account in accounts {
            let names = try transaction.groups(of: account)
            if !names.isEmpty { groups[account] = names }
        }
        return groups
    }

    package func account(_ lookup: AccountLookup) throws(SQLiteError) -> Account? {
        let query: SQLQuery<SQLiteValue> = StoredAccountRow.query(lookup)
        return try row(query.sql, values: query.values, make: Self.account)
    }

    package static func account(_ row: SQLiteRow) throws(SQLiteError) -> Account {
        func read<Value>(_ value: () throws(SQLiteError) -> Value?) throws(DamagedRow) -> Value? {
            do throws(SQLiteError) { return try value() } catch { throw DamagedRow() }
        }
        do throws(DamagedRow) {
            return try StoredAccountRow(
                integer: { (column) throws(DamagedRow) in
                    try read { () throws(SQLiteError) in try row.optionalInteger(column.rawValue) }
                },
                text: { (column) throws(DamagedRow) in
                    try read { () throws(SQLiteError) in try row.optionalText(column.rawValue) }
                },
                bytes: { (column) throws(DamagedRow) in
                    try read { () throws(SQLiteError) in
                        try row.isNull(column.rawValue) ? nil : row.bytes(column.rawValue)
                    }
                }
            ).account()
        } catch {
            throw .corrupt
        }
    }

    package static func insert(_ account: Account, by transaction: SQLiteTransaction) throws(AccountError) {
        try unique(account, in: transaction) { (database) throws(SQLiteError) in
            let hash = try account.passwordHash.map { (hash) throws(SQLiteError) in try transaction.stored(hash) }
            try database.run(
                """
                INSERT INTO account (id, login_name, username_typed, email, email_typed, state, created_at, updated_at,
                    email_verified_at, verify_by, must_change_password, password_generation, password_expires_at,
                    hash_kind, password_hash, attributes)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
                """
            ) { (parameters) throws(SQLiteError) in try parameters.bind(account, hash) }
            transaction.hashKinds.add(1, to: hash?.kind)
        }
    }

    package static func insert(
        _ accounts: [Account], by transaction: SQLiteTransaction
    ) throws(AccountError) -> [Int: FieldKey] {
        var taken: [Int: FieldKey] = [:]
        for (index, account) in accounts.enumerated() {
            do throws(AccountError) { try insert(account, by: transaction) } catch .taken(let field) {
                taken[index] = field
            }
        }
        return taken
    }

    package static func update(_ account: Account, by transaction: SQLiteTransaction) throws(AccountError) {
        let count = try unique(account, in: transaction) { (database) throws(SQLiteError) in
            guard let old = try transaction.hashKind(of: account.id, in: database) else { return 0 }
            let hash = try account.passwordHash.map { (hash) throws(SQLiteError) in try transaction.stored(hash) }
            transaction.hashKinds.add(-1, to: old)
            transaction.hashKinds.add(1, to: hash?.kind)
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

    /// If the database reports a conflict, determines which unique value belongs to another account.
    private static func unique<Value>(
        _ account: Account, in transaction: SQLiteTransaction, _ body: (SQLiteConnection) throws(SQLiteError) -> Value
    ) throws(AccountError) -> Value {
        try transaction.writing(
            refusal: { error in
                guard error.isUniqueViolation else { return nil }
                let id = SQLiteValue.id(account.id)
                let holdsName = try? transaction.connection.integer(
                    "SELECT 1 FROM account WHERE login_name = ?1 AND id <> ?2", .text(account.loginName.text), id)
                if holdsName != nil { return .taken(field: account.username == nil ? .email : .username) }
                let holdsAddress = try? transaction.connection.integer(
                    "SELECT 1 FROM account WHERE email = ?1 AND id <> ?2", .text(account.email.folded), id)
                if holdsAddress != nil { return .taken(field: .email) }
                let isThere = try? transaction.connection.integer("SELECT 1 FROM account WHERE id = ?1", id)
                return isThere != nil ? .taken(field: .accountID) : nil
            }, body)
    }
}

extension SQLiteStatement.Parameters {
    /// Binds ?1 to ?16 of the two statements that write an account.
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

    /// Binds text, or NULL if it equals `other`.
    private mutating func bind(_ text: String, unless other: String) throws(SQLiteError) {
        if text.hasSameBytes(as: other) { try bindNull() } else { try bind(text: text.utf8Span.span) }
    }
}
