extension Migration {
    /// Adds the time when a generated password expires.
    static let passwordExpiry = Migration(
        number: 6,
        sql: """
            ALTER TABLE account ADD COLUMN password_expires_at INTEGER;

            PRAGMA user_version = 6;
            """)
}
