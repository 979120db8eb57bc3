extension Migration {
    /// Adds the records of sealing keys, and for each hash its cost and its sealing key.
    ///
    /// The database reads `sealing_key` from the hash itself, so that the two never disagree.
    static let sealingKeys = Migration(
        number: 5,
        sql: """
            ALTER TABLE account ADD COLUMN hash_milliseconds INTEGER NOT NULL DEFAULT 0
                CHECK (hash_milliseconds >= 0);
            ALTER TABLE account ADD COLUMN password_generation INTEGER NOT NULL DEFAULT 0
                CHECK (password_generation >= 0);
            ALTER TABLE account ADD COLUMN sealing_key TEXT GENERATED ALWAYS AS (
                CASE WHEN substr(password_hash, 1, 14) = '$sealed$v=1,k=' THEN substr(password_hash, 15, 16) END
            ) VIRTUAL;
            CREATE INDEX account_by_hash_cost ON account (hash_milliseconds);
            CREATE INDEX account_by_sealing_key ON account (sealing_key);

            CREATE TABLE sealing_key (
                number INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE CHECK (length(CAST(id AS BLOB)) = 16),
                created_at INTEGER NOT NULL
            ) STRICT;

            PRAGMA user_version = 5;
            """)
}
