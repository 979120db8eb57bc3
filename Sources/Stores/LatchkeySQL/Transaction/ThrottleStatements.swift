import LatchkeyAccounts

/// The statements for one throttle. Each kind of throttle has a separate table or key column. All of them have the same
/// counters.
///
/// A cleared row stays, with zeros. In PostgreSQL, most rows exist before the first failure (`LaneRows.addThrottles()`): a
/// transaction that inserts or deletes a row conflicts with those that have looked for one near it.
struct ThrottleStatements<Engine: SQLEngine> {
    /// The first parameter of each statement.
    let key: Engine.Value
    let select: StaticString
    /// Inserts or replaces the row. It changes no row if the account of the throttle does not exist.
    let store: StaticString
    let clear: StaticString

    private init(
        key: Engine.Value, select: StaticString, store: StaticString, clear: StaticString
    ) {
        (self.key, self.select, self.store, self.clear) = (key, select, store, clear)
    }

    var query: SQLQuery<Engine.Value> { SQLQuery(select, key) }

    /// Nil for a device, whose row has other columns.
    init?(_ throttle: Throttle) {
        switch throttle {
        case .account(let id): self = .account(.id(id))
        case .unknownName(let row): self = .unknownName(.integer(Int64(row)))
        case .identifier(let row): self = .identifier(.integer(Int64(row)))
        case .codes(let id): self = .codes(.id(id))
        case .codesFromNetwork(let row): self = .codesFromNetwork(.integer(Int64(row)))
        case .device: return nil
        }
    }

    private static func account(_ key: Engine.Value) -> Self {
        Self(
            key: key,
            select: RowStatement.throttleByID,
            store: """
                INSERT INTO throttle (account, failures, last_at, total, extra_at, flood_since, flood_recorded,
                        flood_counted)
                    SELECT number, ?2, ?3, ?4, ?5, ?6, ?7, ?8 FROM account WHERE id = ?1
                    ON CONFLICT (account) DO UPDATE SET failures = ?2, last_at = ?3, total = ?4, extra_at = ?5,
                        flood_since = ?6, flood_recorded = ?7, flood_counted = ?8
                """,
            clear: """
                UPDATE throttle SET failures = 0, last_at = 0, total = 0, extra_at = NULL, flood_since = NULL,
                        flood_recorded = NULL, flood_counted = NULL
                    WHERE account = (SELECT number FROM account WHERE id = ?1)
                """)
    }

    private static func unknownName(_ key: Engine.Value) -> Self {
        Self(
            key: key,
            select: """
                SELECT failures, last_at, total, extra_at, flood_since, flood_recorded, flood_counted
                    FROM throttle WHERE unknown_name = ?1
                """,
            store: """
                INSERT INTO throttle (unknown_name, failures, last_at, total, extra_at, flood_since, flood_recorded,
                        flood_counted)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                    ON CONFLICT (unknown_name) DO UPDATE SET failures = ?2, last_at = ?3, total = ?4, extra_at = ?5,
                        flood_since = ?6, flood_recorded = ?7, flood_counted = ?8
                """,
            clear: """
                UPDATE throttle SET failures = 0, last_at = 0, total = 0, extra_at = NULL, flood_since = NULL,
                        flood_recorded = NULL, flood_counted = NULL
                    WHERE unknown_name = ?1
                """)
    }

    private static func identifier(_ key: Engine.Value) -> Self {
        Self(
            key: key,
            select: """
                SELECT failures, last_at, total, extra_at, flood_since, flood_recorded, flood_counted
                    FROM throttle_identifier WHERE number = ?1
                """,
            store: """
                INSERT INTO throttle_identifier (number, failures, last_at, total, extra_at, flood_since, flood_recorded,
                        flood_counted)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                    ON CONFLICT (number) DO UPDATE SET failures = ?2, last_at = ?3, total = ?4, extra_at = ?5,
                        flood_since = ?6, flood_recorded = ?7, flood_counted = ?8
                """,
            clear: """
                UPDATE throttle_identifier SET failures = 0, last_at = 0, total = 0, extra_at = NULL, flood_since = NULL,
                        flood_recorded = NULL, flood_counted = NULL
                    WHERE number = ?1
                """)
    }

    private static func codes(_ key: Engine.Value) -> Self {
        Self(
            key: key,
            select: """
                SELECT failures, last_at, total, extra_at, flood_since, flood_recorded, flood_counted
                    FROM throttle_code WHERE account = (SELECT number FROM account WHERE id = ?1)
                """,
            store: """
                INSERT INTO throttle_code (account, failures, last_at, total, extra_at, flood_since, flood_recorded,
                        flood_counted)
                    SELECT number, ?2, ?3, ?4, ?5, ?6, ?7, ?8 FROM account WHERE id = ?1
                    ON CONFLICT (account) DO UPDATE SET failures = ?2, last_at = ?3, total = ?4, extra_at = ?5,
                        flood_since = ?6, flood_recorded = ?7, flood_counted = ?8
                """,
            clear: """
                UPDATE throttle_code SET failures = 0, last_at = 0, total = 0, extra_at = NULL, flood_since = NULL,
                        flood_recorded = NULL, flood_counted = NULL
                    WHERE account = (SELECT number FROM account WHERE id = ?1)
                """)
    }

    private static func codesFromNetwork(_ key: Engine.Value) -> Self {
        Self(
            key: key,
            select: """
                SELECT failures, last_at, total, extra_at, flood_since, flood_recorded, flood_counted
                    FROM throttle_code_network WHERE number = ?1
                """,
            store: """
                INSERT INTO throttle_code_network (number, failures, last_at, total, extra_at, flood_since, flood_recorded,
                        flood_counted)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                    ON CONFLICT (number) DO UPDATE SET failures = ?2, last_at = ?3, total = ?4, extra_at = ?5,
                        flood_since = ?6, flood_recorded = ?7, flood_counted = ?8
                """,
            clear: """
                UPDATE throttle_code_network SET failures = 0, last_at = 0, total = 0, extra_at = NULL, flood_since = NULL,
                        flood_recorded = NULL, flood_counted = NULL
                    WHERE number = ?1
                """)
    }
}

extension SQLRow {
    /// Reads three columns: the table, an account's ID and the number of a shared row, one of which is null.
    func throttle() throws(Failure) -> Throttle {
        switch try integer(0) {
        case 0: isNull(1) ? .unknownName(row: try sharedRow(2)) : .account(try accountID(1))
        case 1: .identifier(row: try sharedRow(2))
        case 2: .codes(try accountID(1))
        case 3: .codesFromNetwork(row: try sharedRow(2))
        default: throw .corrupt
        }
    }
}
