extension Migration {
    /// Wrong one-time codes count per network too, with the extra attempts and the records of the other throttles.
    static let faults = Migration(
        14, "faults",
        sqlite: [
            "ALTER TABLE throttle_code ADD COLUMN extra_at INTEGER",
            "ALTER TABLE throttle_code ADD COLUMN flood_since INTEGER",
            "ALTER TABLE throttle_code ADD COLUMN flood_recorded INTEGER CHECK (flood_recorded >= 0)",
            "ALTER TABLE throttle_code ADD COLUMN flood_counted INTEGER CHECK (flood_counted >= 0)",
            """
            CREATE TABLE throttle_code_network (
                number INTEGER PRIMARY KEY CHECK (number BETWEEN 0 AND 65535),
                failures INTEGER NOT NULL CHECK (failures >= 0),
                last_at INTEGER NOT NULL,
                total INTEGER NOT NULL CHECK (total >= 0),
                extra_at INTEGER,
                flood_since INTEGER,
                flood_recorded INTEGER CHECK (flood_recorded >= 0),
                flood_counted INTEGER CHECK (flood_counted >= 0)
            ) STRICT
            """,
        ],
        postgres: [
            """
            ALTER TABLE throttle_code ADD COLUMN extra_at bigint, ADD COLUMN flood_since bigint,
                ADD COLUMN flood_recorded bigint CHECK (flood_recorded >= 0),
                ADD COLUMN flood_counted bigint CHECK (flood_counted >= 0)
            """,
            """
            CREATE TABLE throttle_code_network (
                number bigint PRIMARY KEY CHECK (number BETWEEN 0 AND 65535),
                failures bigint NOT NULL CHECK (failures >= 0),
                last_at bigint NOT NULL,
                total bigint NOT NULL CHECK (total >= 0),
                extra_at bigint,
                flood_since bigint,
                flood_recorded bigint CHECK (flood_recorded >= 0),
                flood_counted bigint CHECK (flood_counted >= 0)
            )
            """,
        ])
}
