extension Migration {
    /// Adds the devices on which accounts have logged in, and a fourth scope of operator tokens.
    static let knownDevices = Migration(
        number: 11, sql: "ALTER TABLE operator_token RENAME TO operator_token_10;", tables: tokenTables,
        moreTables: [deviceTables],
        end: """
            INSERT INTO operator_token SELECT * FROM operator_token_10;
            DROP TABLE operator_token_10;
            PRAGMA user_version = 11;
            """)

    /// The tokens of other programs, for a migrated store and for a new one. See ``operatorTokens``.
    static let tokenTables: StaticString = """
        CREATE TABLE operator_token (
            number INTEGER PRIMARY KEY,
            digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
            name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 64),
            scopes INTEGER NOT NULL CHECK (scopes BETWEEN 1 AND 15),
            created_at INTEGER NOT NULL,
            expires_at INTEGER,
            last_used_at INTEGER
        ) STRICT;
        """

    /// The devices, for a migrated store and for a new one.
    static let deviceTables: StaticString = """
        CREATE TABLE device (
            digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            last_used_at INTEGER NOT NULL,
            failures INTEGER NOT NULL CHECK (failures >= 0)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX device_by_account ON device (account, last_used_at);
        CREATE INDEX device_by_use ON device (last_used_at);
        """
}
