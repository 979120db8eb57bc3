extension Migration {
    /// Adds the newest times that the store has seen (``ClockMark``), and indexes for expired sessions.
    static let clockMark = Migration(
        number: 3,
        sql: """
            ALTER TABLE store ADD COLUMN clock_seen INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE store ADD COLUMN clock_highest INTEGER NOT NULL DEFAULT 0;
            UPDATE store SET clock_seen = (SELECT coalesce(max(time), 0) FROM audit);
            UPDATE store SET clock_highest = clock_seen;
            CREATE INDEX session_by_creation ON session (created_at);
            CREATE INDEX session_by_use ON session (last_used_at);

            PRAGMA user_version = 3;
            """)
}
