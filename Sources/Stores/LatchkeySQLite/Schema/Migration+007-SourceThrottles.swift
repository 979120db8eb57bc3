extension Migration {
    /// Adds the failures of sources, in 65,536 rows: an attacker with many addresses must not fill the disk.
    static let sourceThrottles = Migration(
        number: 7,
        sql: """
            CREATE TABLE throttle_source (
                number INTEGER PRIMARY KEY CHECK (number BETWEEN 0 AND 65535),
                failures INTEGER NOT NULL CHECK (failures >= 0),
                since INTEGER NOT NULL,
                last_at INTEGER NOT NULL,
                names BLOB NOT NULL CHECK (length(names) <= 44 AND length(names) % 4 = 0)
            ) STRICT;

            PRAGMA user_version = 7;
            """)
}
