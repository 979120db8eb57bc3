extension Migration {
    /// Until when a password opens its account, where it does not do so for good.
    static let passwordExpiry = Migration(
        number: 6,
        sql: """
            ALTER TABLE account ADD COLUMN password_expires_at INTEGER;

            PRAGMA user_version = 6;
            """)
}
