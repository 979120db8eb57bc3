extension Migration {
    /// Adds the failures of typed identifiers, in 65,536 rows that known and unknown ones share, and the time of the last
    /// extra attempt.
    static let identifierThrottles = Migration(
        number: 8,
        sql: """
            CREATE TABLE throttle_identifier (
                number INTEGER PRIMARY KEY CHECK (number BETWEEN 0 AND 65535),
                failures INTEGER NOT NULL CHECK (failures >= 0),
                last_at INTEGER NOT NULL,
                total INTEGER NOT NULL CHECK (total >= 0),
                extra_at INTEGER,
                flood_since INTEGER,
                flood_recorded INTEGER CHECK (flood_recorded >= 0),
                flood_counted INTEGER CHECK (flood_counted >= 0)
            ) STRICT;
            ALTER TABLE throttle ADD COLUMN extra_at INTEGER;

            PRAGMA user_version = 8;
            """)
}
