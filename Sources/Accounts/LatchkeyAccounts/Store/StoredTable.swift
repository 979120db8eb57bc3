/// A table that has the same name and columns in every type of store. A row is an array of ``StoredValue`` in the order
/// of ``columns``.
package struct StoredTable: Sendable {
    package let name: StaticString
    package let columns: [StoredColumn]
    /// The columns that determine the order of rows. One of them is NOT NULL.
    package let order: [StoredColumn]
    /// The column that identifies a row in messages; nil if the columns of ``order`` do.
    package var title: StoredColumn?
    /// Whether the store assigns numbers to new rows.
    package var isNumbered = false
    /// Whether a row of zeros means the same as no row. Such rows are not copied.
    package var mayBeZero = false

    /// All tables except `store`, each after the tables that it references. The list matches the newest schema. A
    /// migration that changes tables must change it, and tests compare it with the tables of each type of store.
    package static let all: [StoredTable] = [
        StoredTable(
            name: "audit",
            columns: [
                .init("sequence", .sequence), .init("time", .time), "event", "account_id", .init("actor_uid", .userID),
                "request_id", "reason", "hash", .init("version", .auditFormat),
                .init("since_boot", .uptime), "boot_id", "acting_account_id", .init("process_uid", .userID), "source",
                "app_version", "actor_token", "actor_client",
            ], order: ["sequence"]),
        StoredTable(
            name: "outbox",
            columns: [
                .init("number", .rowNumber), "id", "recipient", "recipient_typed", "subject", "body",
                .init("created_at", .time), .init("expires_at", .time),
                .init("attempts", .count), .init("next_attempt_at", .time), "failure", "client",
            ], order: ["number"], title: "id", isNumbered: true),
        StoredTable(
            name: "sealing_key", columns: [.init("number", .rowNumber), "id", .init("created_at", .time)],
            order: ["number"], title: "id", isNumbered: true),
        StoredTable(
            name: "throttle_source",
            columns: [
                .init("number", .sharedRow), .init("failures", .count), .init("since", .time), .init("last_at", .time),
                "names",
            ], order: ["number"], mayBeZero: true),
        StoredTable(
            name: "throttle_identifier",
            columns: [
                .init("number", .sharedRow), .init("failures", .count), .init("last_at", .time), .init("total", .count),
                .init("extra_at", .time), .init("flood_since", .time), .init("flood_recorded", .count),
                .init("flood_counted", .count),
            ], order: ["number"], mayBeZero: true),
        StoredTable(
            name: "throttle_code_network",
            columns: [
                .init("number", .sharedRow), .init("failures", .count), .init("last_at", .time), .init("total", .count),
                .init("extra_at", .time), .init("flood_since", .time), .init("flood_recorded", .count),
                .init("flood_counted", .count),
            ], order: ["number"], mayBeZero: true),
        StoredTable(
            name: "operator_token",
            columns: [
                .init("number", .rowNumber), "digest", "name", .init("scopes", .scopes), .init("created_at", .time),
                .init("expires_at", .time), .init("last_used_at", .time), "id", "tag", "group_names",
            ],
            order: ["number"], isNumbered: true),
        StoredTable(
            name: "user_group",
            columns: [.init("number", .rowNumber), "id", "name", "title", .init("created_at", .time)],
            order: ["number"], title: "name", isNumbered: true),
        StoredTable(
            name: "hash_kind",
            columns: [.init("number", .rowNumber), "prefix", .init("milliseconds", .cost)],
            order: ["number"], isNumbered: true),
        StoredTable(
            name: "hash_kind_count",
            columns: [.init("kind", .rowNumber), .init("lane", .rowNumber), .init("accounts", .rowNumber)],
            order: ["kind", "lane"]),
        StoredTable(
            name: "code_failures",
            columns: [.init("number", .rowNumber), .init("failures", .count), .init("since", .time)],
            order: ["number"]),
        StoredTable(
            name: "account",
            columns: [
                .init("number", .rowNumber), "id", "login_name", "username_typed", "email", "email_typed",
                .init("state", .flag), .init("created_at", .time),
                .init("updated_at", .time), .init("email_verified_at", .time), .init("verify_by", .time),
                .init("must_change_password", .flag), .init("password_generation", .count),
                .init("password_expires_at", .time), .init("hash_kind", .rowNumber), "password_hash", "attributes",
                .init("last_login_at", .time),
            ], order: ["number"], title: "id", isNumbered: true),
        StoredTable(
            name: "sign_up",
            columns: [
                .init("number", .rowNumber), "id", "email", "email_typed", "username", "username_typed", "attributes",
                "network", .init("created_at", .time), .init("expires_at", .time), "group_names",
            ], order: ["number"], title: "id", isNumbered: true),
        StoredTable(
            name: "group_member",
            columns: [.init("user_group", .rowNumber), .init("account", .rowNumber)],
            order: ["account", "user_group"]),
        StoredTable(
            name: "reserved_name", columns: ["name", "account_id", .init("expires_at", .time)], order: ["name"]),
        StoredTable(
            name: "session",
            columns: [
                "digest", .init("account", .rowNumber), .init("scope", .flag), .init("created_at", .time),
                .init("last_used_at", .time), .init("authenticated_at", .time), "source", .init("methods", .methods),
                "tag", "sid",
            ], order: ["digest"]),
        StoredTable(
            name: "recovery_request",
            columns: [
                "tag", .init("account", .rowNumber), .init("unknown_name", .sharedRow), .init("created_at", .time),
                .init("expires_at", .time), .init("used_at", .time), "new_email", "new_email_typed",
                .init("sign_up", .rowNumber),
            ], order: ["tag"]),
        StoredTable(
            name: "throttle",
            columns: [
                .init("account", .rowNumber), .init("unknown_name", .sharedRow), .init("failures", .count),
                .init("last_at", .time), .init("total", .count), .init("extra_at", .time), .init("flood_since", .time),
                .init("flood_recorded", .count),
                .init("flood_counted", .count),
            ], order: ["account", "unknown_name"], mayBeZero: true),
        StoredTable(
            name: "device",
            columns: [
                "digest", .init("account", .rowNumber), .init("last_used_at", .time), .init("failures", .count), "tag",
            ],
            order: ["digest"]),
        StoredTable(
            name: "authenticator",
            columns: [
                .init("account", .rowNumber), "sealing_key", "secret", .init("created_at", .time),
                .init("is_confirmed", .flag), .init("last_step", .step), .init("last_used_at", .time),
            ], order: ["account"]),
        StoredTable(name: "saved_code", columns: ["tag", .init("account", .rowNumber)], order: ["tag"]),
        StoredTable(
            name: "throttle_code",
            columns: [
                .init("account", .rowNumber), .init("failures", .count), .init("last_at", .time),
                .init("total", .count), .init("extra_at", .time), .init("flood_since", .time),
                .init("flood_recorded", .count), .init("flood_counted", .count),
            ], order: ["account"], mayBeZero: true),
        StoredTable(
            name: "pending_login",
            columns: [
                "digest", .init("account", .rowNumber), "network", .init("password_generation", .count),
                .init("created_at", .time), .init("expires_at", .time), "session",
                "recovery_tag", "sealing_key", "new_password", "tag",
            ], order: ["digest"]),
        StoredTable(
            name: "app_password",
            columns: [
                "tag", .init("account", .rowNumber), "name", .init("created_at", .time), .init("last_used_at", .time),
            ], order: ["tag"]),
        StoredTable(
            name: "passkey",
            columns: [
                .init("number", .rowNumber), "credential", .init("account", .rowNumber), "name", "public_key",
                .init("sign_count", .count), .init("is_backup_eligible", .flag),
                .init("is_backed_up", .flag), "transports", .init("created_at", .time), .init("last_used_at", .time),
                "tag",
            ], order: ["number"], isNumbered: true),
        StoredTable(
            name: "passkey_challenge",
            columns: ["challenge", .init("account", .rowNumber), "network", .init("expires_at", .time)],
            order: ["challenge"]),
        StoredTable(
            name: "client",
            columns: [
                .init("number", .rowNumber), "client_id", "name", "settings", "secret_digest", "second_digest",
                .init("is_disabled", .flag), .init("pkce_logins", .count), .init("created_at", .time),
                .init("used_at", .time), .init("keys_fetched_at", .time), "tag",
            ], order: ["number"], title: "client_id", isNumbered: true),
        StoredTable(
            name: "signing_key",
            columns: [
                .init("number", .rowNumber), "kid", "algorithm", "public", "sealed_private", "sealing_key",
                .init("created_at", .time), .init("active_at", .time), .init("retired_at", .time), "tag",
            ], order: ["number"], title: "kid", isNumbered: true),
        StoredTable(
            name: "authorization_request",
            columns: [
                "digest", "browser", "network", .init("client", .rowNumber), "parameters", .init("created_at", .time),
            ], order: ["digest"]),
        StoredTable(
            name: "consent",
            columns: [.init("account", .rowNumber), .init("client", .rowNumber), "scopes", .init("at", .time)],
            order: ["account", "client"]),
        StoredTable(
            name: "access_grant",
            columns: [
                .init("number", .rowNumber), "id", .init("account", .rowNumber), .init("client", .rowNumber), "sid",
                "scopes", .init("auth_time", .time), .init("methods", .methods), .init("created_at", .time),
                .init("expires_at", .time), "tag",
            ], order: ["number"], isNumbered: true),
        StoredTable(
            name: "grant_token",
            columns: [
                "digest", .init("access_grant", .rowNumber), .init("kind", .tokenKind), "details",
                .init("created_at", .time), .init("expires_at", .time), .init("used_at", .time), "tag",
            ], order: ["digest"]),
        StoredTable(
            name: "device_request",
            columns: [
                "digest", "code_tag", .init("client", .rowNumber), "scopes", .init("state", .deviceState),
                .init("access_grant", .rowNumber), "source", .init("created_at", .time), .init("polled_at", .time),
                .init("interval", .count), "tag",
            ], order: ["digest"]),
    ]

    /// The columns of the table `store`, without the ID and without columns that exist in only one type of store.
    package static let store = StoredTable(
        name: "store",
        columns: [
            .init("flood_since", .time), .init("flood_recorded", .count), .init("flood_counted", .count),
            .init("clock_seen", .time), .init("clock_highest", .time), "seal",
        ], order: [.init("number", .rowNumber)])

    /// A query for at most `$2` rows from number `$1` on, or `?2` and `?1` in SQLite.
    ///
    /// - Parameter sign: the character before the number of a parameter: `$` or `?`.
    package func selection(_ sign: Character) -> String {
        """
        SELECT \(Self.list(columns)) FROM \(rows) ORDER BY \(Self.list(order)) LIMIT \(sign)2 OFFSET \(sign)1
        """
    }

    /// The table in a query, with the condition for the rows to copy.
    package var rows: String {
        mayBeZero ? "\(name) WHERE (failures, last_at) <> (0, 0)" : "\(name)"
    }

    /// The names, separated by commas. All names are literals in this file, so no data can become part of a statement.
    package static func list(_ names: some Sequence<StoredColumn>) -> String {
        names.map(\.description).joined(separator: ", ")
    }
}

/// A column of a ``StoredTable``.
package struct StoredColumn: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let name: StaticString
    /// The valid values of an integer; nil for strings and bytes.
    package let range: StoredRange?

    init(_ name: StaticString, _ range: StoredRange) { (self.name, self.range) = (name, range) }

    /// Creates a column of strings or bytes, or a name in ``StoredTable/order``.
    package init(stringLiteral name: StaticString) { (self.name, range) = (name, nil) }

    /// The name of the column.
    package var description: String { "\(name)" }
}

/// A value of a column.
package enum StoredValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
}
