/// A table that every kind of store has under the same name, with the same columns. One row of it is a list of
/// ``StoredValue`` in the order of ``columns``.
package struct StoredTable: Sendable {
    package let name: StaticString
    package let columns: [StaticString]
    /// The columns that order the rows.
    package let order: [StaticString]

    /// Every table but `store`, each after those that it refers to. Every store has schema 13 or newer; a change of its
    /// tables is a change here, and tests compare this list with the tables of each kind of store.
    package static let all: [StoredTable] = [
        StoredTable(
            name: "audit",
            columns: [
                "sequence", "time", "event", "account_id", "actor_uid", "request_id", "reason", "hash", "version",
                "since_boot", "boot_id", "acting_account_id", "process_uid", "source", "app_version", "actor_token",
            ], order: ["sequence"]),
        StoredTable(
            name: "outbox",
            columns: [
                "number", "id", "recipient", "recipient_typed", "subject", "body", "created_at", "expires_at",
                "attempts", "next_attempt_at",
            ], order: ["number"]),
        StoredTable(name: "sealing_key", columns: ["number", "id", "created_at"], order: ["number"]),
        StoredTable(
            name: "throttle_source", columns: ["number", "failures", "since", "last_at", "names"], order: ["number"]),
        StoredTable(
            name: "throttle_identifier",
            columns: [
                "number", "failures", "last_at", "total", "extra_at", "flood_since", "flood_recorded", "flood_counted",
            ], order: ["number"]),
        StoredTable(
            name: "operator_token",
            columns: ["number", "digest", "name", "scopes", "created_at", "expires_at", "last_used_at"],
            order: ["number"]),
        StoredTable(
            name: "hash_kind", columns: ["number", "prefix", "milliseconds", "accounts"], order: ["number"]),
        StoredTable(
            name: "account",
            columns: [
                "number", "id", "login_name", "username_typed", "email", "email_typed", "state", "created_at",
                "updated_at", "email_verified_at", "verify_by", "must_change_password", "password_generation",
                "password_expires_at", "hash_kind", "password_hash", "attributes",
            ], order: ["number"]),
        StoredTable(
            name: "session",
            columns: [
                "digest", "account", "scope", "created_at", "last_used_at", "authenticated_at", "source", "methods",
            ], order: ["digest"]),
        StoredTable(
            name: "recovery_request",
            columns: [
                "tag", "account", "unknown_name", "created_at", "expires_at", "used_at", "new_email", "new_email_typed",
            ], order: ["tag"]),
        StoredTable(
            name: "throttle",
            columns: [
                "account", "unknown_name", "failures", "last_at", "total", "extra_at", "flood_since", "flood_recorded",
                "flood_counted",
            ], order: ["account", "unknown_name"]),
        StoredTable(name: "device", columns: ["digest", "account", "last_used_at", "failures"], order: ["digest"]),
        StoredTable(
            name: "authenticator",
            columns: [
                "account", "sealing_key", "secret", "created_at", "is_confirmed", "last_step", "last_used_at",
            ], order: ["account"]),
        StoredTable(name: "saved_code", columns: ["tag", "account"], order: ["tag"]),
        StoredTable(name: "throttle_code", columns: ["account", "failures", "last_at", "total"], order: ["account"]),
        StoredTable(
            name: "pending_login",
            columns: [
                "digest", "account", "network", "password_generation", "created_at", "expires_at", "session",
                "recovery_tag", "sealing_key", "new_password",
            ], order: ["digest"]),
        StoredTable(
            name: "app_password", columns: ["tag", "account", "name", "created_at", "last_used_at"], order: ["tag"]),
        StoredTable(
            name: "passkey",
            columns: [
                "number", "credential", "account", "name", "public_key", "sign_count", "is_backup_eligible",
                "is_backed_up", "transports", "created_at", "last_used_at",
            ], order: ["number"]),
        StoredTable(
            name: "passkey_challenge", columns: ["challenge", "account", "network", "expires_at"],
            order: ["challenge"]),
    ]

    /// What the one row of `store` has besides the ID and what only one kind of store has.
    package static let store = StoredTable(
        name: "store",
        columns: [
            "flood_since", "flood_recorded", "flood_counted", "clock_seen", "clock_highest", "wrong_codes",
            "wrong_codes_since",
        ], order: ["number"])

    /// Selects rows from number `$1` on, at most `$2`, or `?1` and `?2` in SQLite.
    ///
    /// - Parameter sign: the character in front of a parameter.
    package func selection(_ sign: Character) -> String {
        """
        SELECT \(Self.list(columns)) FROM \(name) ORDER BY \(Self.list(order)) LIMIT \(sign)2 OFFSET \(sign)1
        """
    }

    /// The names with commas. They are literals of this file, so that no value becomes part of a statement.
    package static func list(_ names: [StaticString]) -> String {
        names.map { "\($0)" }.joined(separator: ", ")
    }
}

/// A value of a column.
package enum StoredValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
}
