extension Migration {
    /// Adds passwords for programs that cannot ask for a second factor.
    static let appPasswords = Migration(
        number: 13, sql: "", moreTables: [appPasswordTables], end: "PRAGMA user_version = 13;")

    /// The app passwords, for a migrated store and for a new one. A name has at most 64 scalars.
    static let appPasswordTables: StaticString = """
        CREATE TABLE app_password (
            tag BLOB NOT NULL PRIMARY KEY CHECK (length(tag) = 32),
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256),
            created_at INTEGER NOT NULL,
            last_used_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX app_password_by_account ON app_password (account, created_at);
        """
}
