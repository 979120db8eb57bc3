extension Migration {
    /// Adds the devices on which accounts have logged in.
    static let knownDevices = Migration(
        number: 11, sql: deviceTables, end: "PRAGMA user_version = 11;")

    /// For a migrated store and for a new one.
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
