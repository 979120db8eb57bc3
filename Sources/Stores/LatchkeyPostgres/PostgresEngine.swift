import LatchkeyAccounts
import LatchkeyForms
import LatchkeySQL
import LatchkeyText

typealias PostgresTransaction = SQLTransaction<PostgresConnection>

extension PostgresRow: SQLRow {}
extension PostgresValue: SQLValue {}

extension PostgresError: SQLFailure {
    /// The failure of a ``PostgresStatement/changing(_:)``. A violated constraint is none of these: no statement may
    /// rely on one, because it aborts the transaction.
    static let missingReference = PostgresError.server(.divisionByZero)
    var isForeignKeyViolation: Bool { self == .missingReference }
    static let interrupted = PostgresError.server(.queryCanceled)
}

/// The operations specific to PostgreSQL. A violated constraint would abort the transaction, so conflicts are looked up
/// first. Many accounts are inserted with COPY.
extension PostgresConnection: SQLEngine {
    static let tables = PostgresSchema.tables

    static func statements(of migration: Migration) -> [StaticString] { migration.postgres }

    func setSchema(_ number: Int) throws(PostgresError) {
        try write("UPDATE store SET schema = $1", .integer(Int64(number)))
    }

    package static let serverTime: StaticString? = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)"

    static let accountPage: StaticString = """
        SELECT *,
            ($3::text IS NULL OR $3 = CASE WHEN verify_by IS NOT NULL THEN 'unverified'
                    WHEN state = 1 THEN 'disabled' ELSE 'active' END
                OR ($3 = 'must-change' AND must_change_password = 1)
                OR ($3 = 'locked' AND EXISTS (
                    SELECT 1 FROM throttle WHERE account = stored_account.number AND failures > 0)))
            AND ($4::bytea IS NULL OR position($4::bytea IN login_name) > 0
                OR position($5::bytea IN email) > 0)
            AND ($6::bigint IS NULL OR NOT EXISTS (
                    SELECT 1 FROM authenticator WHERE account = stored_account.number AND is_confirmed = 1)
                AND NOT EXISTS (SELECT 1 FROM passkey WHERE account = stored_account.number))
        FROM stored_account WHERE login_name > $1 ORDER BY login_name LIMIT $2
        """

    static let memberPage: StaticString = """
        SELECT *,
            ($3::text IS NULL OR $3 = CASE WHEN verify_by IS NOT NULL THEN 'unverified'
                    WHEN state = 1 THEN 'disabled' ELSE 'active' END
                OR ($3 = 'must-change' AND must_change_password = 1)
                OR ($3 = 'locked' AND EXISTS (
                    SELECT 1 FROM throttle WHERE account = stored_account.number AND failures > 0)))
            AND ($4::bytea IS NULL OR position($4::bytea IN login_name) > 0
                OR position($5::bytea IN email) > 0)
            AND ($6::bigint IS NULL OR NOT EXISTS (
                    SELECT 1 FROM authenticator WHERE account = stored_account.number AND is_confirmed = 1)
                AND NOT EXISTS (SELECT 1 FROM passkey WHERE account = stored_account.number))
        FROM stored_account WHERE login_name > $1
            AND number IN (SELECT account FROM group_member JOIN user_group ON user_group.number = user_group
                WHERE name = $7)
        ORDER BY login_name LIMIT $2
        """

    static let searchPage: StaticString = """
        SELECT *,
            ($3::text IS NULL OR $3 = CASE WHEN verify_by IS NOT NULL THEN 'unverified' WHEN state = 1 THEN 'disabled'
                    ELSE 'active' END
                OR ($3 = 'must-change' AND must_change_password = 1)
                OR ($3 = 'locked' AND EXISTS (
                    SELECT 1 FROM throttle WHERE account = stored_account.number AND failures > 0)))
            AND ($6::bigint IS NULL OR NOT EXISTS (
                    SELECT 1 FROM authenticator WHERE account = stored_account.number AND is_confirmed = 1)
                AND NOT EXISTS (SELECT 1 FROM passkey WHERE account = stored_account.number))
            AND ($7::text IS NULL OR EXISTS (
                    SELECT 1 FROM group_member WHERE account = stored_account.number
                        AND user_group = (SELECT number FROM user_group WHERE name = $7)))
        FROM stored_account WHERE login_name > $1 AND number IN (
            (SELECT number FROM account
                WHERE login_name > $1 AND login_name >= $4 AND login_name < $8 ORDER BY login_name LIMIT 5000)
            UNION (SELECT number FROM account WHERE email >= $5 AND email < $9 ORDER BY email LIMIT 5000))
        ORDER BY login_name LIMIT $2
        """

    static let groupsOfAccount: StaticString = """
        SELECT string_agg(name, ' ') FROM group_member JOIN user_group ON user_group.number = user_group
            WHERE account = (SELECT number FROM account WHERE id = $1)
        """

    static let addToGroups: StaticString = """
        INSERT INTO group_member (user_group, account)
            SELECT user_group.number, account.number FROM account CROSS JOIN user_group
                WHERE account.id = $1 AND name = ANY (string_to_array($2::text, ' '))
            ON CONFLICT DO NOTHING
        """

    static let removeFromGroups: StaticString = """
        DELETE FROM group_member WHERE account = (SELECT number FROM account WHERE id = $1)
            AND user_group IN (SELECT number FROM user_group WHERE name = ANY (string_to_array($2::text, ' ')))
        """

    static func groups(
        of accounts: [AccountID], in transaction: PostgresTransaction
    ) throws(AccountError) -> [AccountID: [GroupName]] {
        guard !accounts.isEmpty else { return [:] }
        let rows = try transaction.reading { (database) throws(PostgresError) in
            try database.rows(
                """
                SELECT account.id, name FROM account JOIN group_member ON account = account.number
                    JOIN user_group ON user_group.number = user_group
                    WHERE account.id = ANY ($1) ORDER BY name
                """, .list(accounts.map(\.bytes), of: .uuid)
            ) { (row) throws(PostgresError) in (try row.accountID(0), try row.groupName(1)) }
        }
        var groups: [AccountID: [GroupName]] = [:]
        for (account, name) in rows { groups[account, default: []].append(name) }
        return groups
    }

    func account(_ lookup: AccountLookup) throws(PostgresError) -> Account? {
        let query: SQLQuery<PostgresValue> = StoredAccountRow.query(lookup)
        return try row(query.sql, values: query.values, make: Self.account)
    }

    static func account(_ row: PostgresRow) throws(PostgresError) -> Account {
        func read<Value>(_ value: () throws(PostgresError) -> Value?) throws(DamagedRow) -> Value? {
            do throws(PostgresError) { return try value() } catch { throw DamagedRow() }
        }
        do throws(DamagedRow) {
            return try StoredAccountRow(
                integer: { (column) throws(DamagedRow) in
                    try read { () throws(PostgresError) in try row.optionalInteger(column.rawValue) }
                },
                text: { (column) throws(DamagedRow) in
                    try read { () throws(PostgresError) in try row.optionalText(column.rawValue) }
                },
                bytes: { (column) throws(DamagedRow) in
                    try read { () throws(PostgresError) in
                        try row.isNull(column.rawValue) ? nil : row.bytes(column.rawValue)
                    }
                }
            ).account()
        } catch {
            throw .corrupt
        }
    }

    static var hasLanes: Bool { true }

    /// In one statement, because the server can forget no other transaction before this one has ended.
    func insert(records: [[PostgresValue]]) throws(PostgresError) {
        try copy(
            records,
            by: """
                COPY audit (sequence, time, event, account_id, actor_uid, request_id, reason, hash, version, since_boot,
                    boot_id, acting_account_id, process_uid, source, app_version, actor_token, actor_client)
                    FROM STDIN BINARY
                """)
    }

    static func prefetch(_ rows: [ExpectedRow], in transaction: PostgresTransaction) throws(AccountError) {
        let connection = transaction.connection
        let costs = connection.recentHashCosts
        if rows.contains(.hashCosts) { transaction.knownHashCosts = costs }
        let new = rows.filter { row in
            switch row {
            case .clock: transaction.knownClock == nil
            case .hashCosts: costs == nil
            default: true
            }
        }
        try transaction.reading { (database) throws(PostgresError) in
            try database.prefetch(new.flatMap { $0.queries(for: PostgresConnection.self) })
        }
        for (query, other) in try transaction.equalQueries(for: new) { connection.reuse(query, for: other) }
        if new.contains(.hashCosts) { connection.recentHashCosts = try transaction.hashCosts }
    }

    static func insert(_ account: Account, by transaction: PostgresTransaction) throws(AccountError) {
        let count = try transaction.writing { (database) throws(PostgresError) in
            let (kind, values) = try values(of: account, in: transaction)
            let count = try database.run(
                """
                INSERT INTO account (id, login_name, username_typed, email, email_typed, state, updated_at,
                    email_verified_at, verify_by, must_change_password, password_generation, password_expires_at,
                    hash_kind, password_hash, attributes, created_at)
                VALUES ($1, $2, $3, $4, $5, $6, nullif($7::bigint, $16::bigint), $8, $9, $10, $11, $12, $13, $14, $15, $16)
                ON CONFLICT DO NOTHING
                """, values: values + [.time(account.createdAt)])
            if count > 0 { transaction.hashKinds.add(1, to: kind) }
            return count
        }
        guard count > 0 else { throw try conflict(with: account, in: transaction) ?? .taken(field: .accountID) }
    }

    static func insert(
        _ accounts: [Account], by transaction: PostgresTransaction
    ) throws(AccountError) -> [Int: FieldKey] {
        guard !accounts.isEmpty else { return [:] }
        let stored = try storedValues(of: accounts, in: transaction)
        var taken: [Int: FieldKey] = [:]
        try transaction.writing { (database) throws(PostgresError) in
            var rows: [[PostgresValue]] = []
            rows.reserveCapacity(accounts.count)
            for (index, account) in accounts.enumerated() {
                if let field = stored.field(of: account) {
                    taken[index] = field
                    continue
                }
                var (kind, values) = try values(of: account, in: transaction)
                if account.updatedAt == account.createdAt { values[6] = .null }
                transaction.hashKinds.add(1, to: kind)
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

    /// The unique values of `accounts` that stored accounts already have.
    private static func storedValues(
        of accounts: [Account], in transaction: PostgresTransaction
    ) throws(AccountError) -> StoredValues {
        try transaction.reading { (database) throws(PostgresError) in
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

    static func update(_ account: Account, by transaction: PostgresTransaction) throws(AccountError) {
        // A violated constraint would abort the transaction. It can only come from a transaction that this one does not
        // see, and the repetition then finds the conflict here.
        if let conflict = try conflict(with: account, in: transaction) { throw conflict }
        let count = try transaction.writing { (database) throws(PostgresError) in
            guard let old = try transaction.hashKind(of: account.id, in: database) else { return 0 }
            let (kind, values) = try values(of: account, in: transaction)
            transaction.hashKinds.add(-1, to: old)
            transaction.hashKinds.add(1, to: kind)
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

    /// The kind of the account's hash, and the parameters $1 to $15 of the two statements that write an account.
    private static func values(
        of account: Account, in transaction: PostgresTransaction
    ) throws(PostgresError) -> (kind: Int64?, values: [PostgresValue]) {
        let hash = try account.passwordHash.map { (hash) throws(PostgresError) in try transaction.stored(hash) }
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

    /// The error for a unique value that belongs to another account; nil if there is none.
    private static func conflict(
        with account: Account, in transaction: PostgresTransaction
    ) throws(AccountError) -> AccountError? {
        try transaction.reading { (database) throws(PostgresError) in
            let (id, name) = (PostgresValue.id(account.id), PostgresValue.text(account.loginName.text))
            if try database.integer("SELECT 1 FROM account WHERE login_name = $1 AND id <> $2", name, id) != nil {
                return .taken(field: account.username == nil ? .email : .username)
            }
            let address = PostgresValue.text(account.email.folded)
            let other = try database.integer("SELECT 1 FROM account WHERE email = $1 AND id <> $2", address, id)
            return other == nil ? nil : .taken(field: .email)
        }
    }
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

    /// The taken field of a new account; nil if all are free.
    func field(of account: Account) -> FieldKey? {
        if loginNames.contains(Array(account.loginName.text.utf8)) {
            return account.username == nil ? .email : .username
        }
        if addresses.contains(Array(account.email.folded.utf8)) { return .email }
        return ids.contains(account.id.bytes) ? .accountID : nil
    }
}

extension PostgresValue {
    /// Binds text, or NULL if it equals `other`.
    fileprivate static func text(_ text: String, unless other: String) -> PostgresValue {
        text.hasSameBytes(as: other) ? .null : .text(text)
    }
}
