import LatchkeyAccounts
import LatchkeySQL

/// The integer columns of a table with their valid values, for `store check`.
struct StoredColumns {
    let table: String
    /// Selects a name for each row, then ``columns`` in their order.
    let query: StaticString
    let columns: [(name: String, range: StoredRange)]

    /// Every table of the newest schema that has an integer column.
    static let all = [
        StoredColumns(
            table: "store",
            query: """
                SELECT quote(number), number, clock_seen, clock_highest, wrong_codes, wrong_codes_since, flood_since,
                    flood_recorded, flood_counted FROM store
                """,
            columns: [
                ("number", .rowNumber), ("clock_seen", .time), ("clock_highest", .time), ("wrong_codes", .count),
                ("wrong_codes_since", .time), ("flood_since", .time), ("flood_recorded", .count),
                ("flood_counted", .count),
            ]),
        StoredColumns(
            table: "account",
            query: """
                SELECT substr(quote(id), 1, 100), number, state, created_at, updated_at, email_verified_at, verify_by, must_change_password,
                    password_generation, password_expires_at, hash_kind FROM account
                """,
            columns: [
                ("number", .rowNumber), ("state", .flag), ("created_at", .time), ("updated_at", .time),
                ("email_verified_at", .time),
                ("verify_by", .time), ("must_change_password", .flag), ("password_generation", .count),
                ("password_expires_at", .time), ("hash_kind", .rowNumber),
            ]),
        StoredColumns(
            table: "hash_kind",
            query: "SELECT quote(number), number, milliseconds, accounts FROM hash_kind",
            columns: [("number", .rowNumber), ("milliseconds", .cost), ("accounts", .count)]),
        StoredColumns(
            table: "session",
            query: """
                SELECT substr(quote(digest), 1, 100), account, scope, created_at, last_used_at, authenticated_at,
                    methods FROM session
                """,
            columns: [
                ("account", .rowNumber), ("scope", .flag), ("created_at", .time), ("last_used_at", .time),
                ("authenticated_at", .time), ("methods", .methods),
            ]),
        StoredColumns(
            table: "authenticator",
            query: """
                SELECT quote(account), account, created_at, is_confirmed, last_step, last_used_at FROM authenticator
                """,
            columns: [
                ("account", .rowNumber), ("created_at", .time), ("is_confirmed", .flag), ("last_step", .step),
                ("last_used_at", .time),
            ]),
        StoredColumns(
            table: "saved_code", query: "SELECT substr(quote(tag), 1, 100), account FROM saved_code",
            columns: [("account", .rowNumber)]),
        StoredColumns(
            table: "passkey",
            query: """
                SELECT quote(number), number, account, sign_count, is_backup_eligible, is_backed_up, created_at,
                    last_used_at FROM passkey
                """,
            columns: [
                ("number", .rowNumber), ("account", .rowNumber), ("sign_count", .count), ("is_backup_eligible", .flag),
                ("is_backed_up", .flag), ("created_at", .time), ("last_used_at", .time),
            ]),
        StoredColumns(
            table: "passkey_challenge",
            query: "SELECT substr(quote(challenge), 1, 100), account, expires_at FROM passkey_challenge",
            columns: [("account", .rowNumber), ("expires_at", .time)]),
        StoredColumns(
            table: "app_password",
            query: "SELECT substr(quote(tag), 1, 100), account, created_at, last_used_at FROM app_password",
            columns: [("account", .rowNumber), ("created_at", .time), ("last_used_at", .time)]),
        StoredColumns(
            table: "throttle_code",
            query: "SELECT quote(account), account, failures, last_at, total FROM throttle_code",
            columns: [("account", .rowNumber), ("failures", .count), ("last_at", .time), ("total", .count)]),
        StoredColumns(
            table: "pending_login",
            query: """
                SELECT substr(quote(digest), 1, 100), account, password_generation, created_at, expires_at
                    FROM pending_login
                """,
            columns: [
                ("account", .rowNumber), ("password_generation", .count), ("created_at", .time), ("expires_at", .time),
            ]),
        StoredColumns(
            table: "device",
            query: "SELECT substr(quote(digest), 1, 100), account, last_used_at, failures FROM device",
            columns: [("account", .rowNumber), ("last_used_at", .time), ("failures", .count)]),
        StoredColumns(
            table: "recovery_request",
            query: """
                SELECT substr(quote(tag), 1, 100), account, unknown_name, created_at, expires_at, used_at
                    FROM recovery_request
                """,
            columns: [
                ("account", .rowNumber), ("unknown_name", .sharedRow), ("created_at", .time), ("expires_at", .time),
                ("used_at", .time),
            ]),
        StoredColumns(
            table: "throttle",
            query: """
                SELECT quote(coalesce(account, unknown_name)), account, unknown_name, failures, last_at, total,
                    extra_at, flood_since, flood_recorded, flood_counted FROM throttle
                """,
            columns: [
                ("account", .rowNumber), ("unknown_name", .sharedRow), ("failures", .count), ("last_at", .time),
                ("total", .count), ("extra_at", .time), ("flood_since", .time), ("flood_recorded", .count),
                ("flood_counted", .count),
            ]),
        StoredColumns(
            table: "throttle_identifier",
            query: """
                SELECT quote(number), number, failures, last_at, total, extra_at, flood_since, flood_recorded,
                    flood_counted FROM throttle_identifier
                """,
            columns: [
                ("number", .sharedRow), ("failures", .count), ("last_at", .time), ("total", .count),
                ("extra_at", .time), ("flood_since", .time), ("flood_recorded", .count), ("flood_counted", .count),
            ]),
        StoredColumns(
            table: "throttle_source",
            query: "SELECT quote(number), number, failures, since, last_at FROM throttle_source",
            columns: [("number", .sharedRow), ("failures", .count), ("since", .time), ("last_at", .time)]),
        StoredColumns(
            table: "outbox",
            query: """
                SELECT substr(quote(id), 1, 100), number, created_at, expires_at, attempts, next_attempt_at FROM outbox
                """,
            columns: [
                ("number", .rowNumber), ("created_at", .time), ("expires_at", .time), ("attempts", .count),
                ("next_attempt_at", .time),
            ]),
        StoredColumns(
            table: "audit",
            query: "SELECT quote(sequence), sequence, time, actor_uid, version, since_boot, process_uid FROM audit",
            columns: [
                ("sequence", .sequence), ("time", .time), ("actor_uid", .userID), ("version", .auditFormat),
                ("since_boot", .uptime), ("process_uid", .userID),
            ]),
        StoredColumns(
            table: "operator_token",
            query: "SELECT quote(number), number, scopes, created_at, expires_at, last_used_at FROM operator_token",
            columns: [
                ("number", .rowNumber), ("scopes", .scopes), ("created_at", .time), ("expires_at", .time),
                ("last_used_at", .time),
            ]),
        StoredColumns(
            table: "sealing_key", query: "SELECT substr(quote(id), 1, 100), number, created_at FROM sealing_key",
            columns: [("number", .rowNumber), ("created_at", .time)]),
    ]
}

/// A stored integer outside the valid values of its column.
public struct InvalidValue: Equatable, Sendable {
    /// The name of the table.
    public let table: String
    /// The key of the row, as SQL writes it: `'…'`, `X'…'` or a number.
    public let row: String
    /// The name of the column.
    public let column: String
}

extension SQLiteConnection {
    /// The first invalid integers of the store, at most 20. Reads every row.
    func invalidValues() throws(SQLiteError) -> [InvalidValue] {
        var found: [InvalidValue] = []
        for stored in StoredColumns.all {
            _ = try rows(stored.query) { (row) throws(SQLiteError) in
                for (index, column) in stored.columns.enumerated() where found.count < 20 {
                    let position = Int32(index + 1)
                    // Whether a column may be null is for SQLite's own check to say.
                    if row.isNull(position) || (try? row.integer(position, in: column.range)) != nil { continue }
                    let key = (try? row.text(0)) ?? "?"
                    found.append(InvalidValue(table: stored.table, row: key, column: column.name))
                }
            }
        }
        return found
    }
}
