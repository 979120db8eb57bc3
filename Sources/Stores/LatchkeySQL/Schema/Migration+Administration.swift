extension Migration {
    /// The time of each account's last login, for operators.
    static let administration = Migration(
        16, "administration",
        sqlite: [
            "DROP VIEW stored_account", "ALTER TABLE account ADD COLUMN last_login_at INTEGER", storedAccount,
        ],
        postgres: [
            "DROP VIEW stored_account", "ALTER TABLE account ADD COLUMN last_login_at bigint", storedAccount,
        ])

    private static let storedAccount: StaticString = """
        CREATE VIEW stored_account AS
            SELECT account.number, id, login_name, username_typed, email, email_typed, state, created_at,
                updated_at, email_verified_at, verify_by, must_change_password, password_generation,
                password_expires_at, hash_kind, prefix, milliseconds, password_hash, attributes, last_login_at
            FROM account LEFT JOIN hash_kind ON hash_kind.number = hash_kind
        """
}
