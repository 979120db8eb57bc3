extension Migration {
    /// Adds second factors, the logins that wait for one, and what a session was authenticated with.
    static let factors = Migration(
        number: 12, sql: "", moreTables: [factorTables],
        end: """
            UPDATE session SET methods = authenticated_at IS NOT NULL;
            PRAGMA user_version = 12;
            """)

    /// The factors, for a migrated store and for a new one.
    static let factorTables: StaticString = """
        ALTER TABLE session ADD COLUMN methods INTEGER NOT NULL DEFAULT 1 CHECK (methods BETWEEN 0 AND 7);

        CREATE TABLE authenticator (
            account INTEGER NOT NULL PRIMARY KEY REFERENCES account (number) ON DELETE CASCADE,
            sealing_key TEXT CHECK (length(CAST(sealing_key AS BLOB)) = 16),
            secret BLOB NOT NULL CHECK (length(secret) BETWEEN 41 AND 1024),
            created_at INTEGER NOT NULL,
            is_confirmed INTEGER NOT NULL CHECK (is_confirmed IN (0, 1)),
            last_step INTEGER CHECK (last_step >= 0),
            last_used_at INTEGER
        ) STRICT;

        CREATE TABLE saved_code (
            tag BLOB NOT NULL PRIMARY KEY CHECK (length(tag) = 32),
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX saved_code_by_account ON saved_code (account);

        CREATE TABLE throttle_code (
            account INTEGER NOT NULL PRIMARY KEY REFERENCES account (number) ON DELETE CASCADE,
            failures INTEGER NOT NULL CHECK (failures >= 0),
            last_at INTEGER NOT NULL,
            total INTEGER NOT NULL CHECK (total >= 0)
        ) STRICT;

        CREATE TABLE pending_login (
            digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            network BLOB NOT NULL CHECK (length(network) IN (0, 4, 8)),
            password_generation INTEGER NOT NULL CHECK (password_generation >= 0),
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            session BLOB CHECK (length(session) = 32),
            recovery_tag BLOB CHECK (length(recovery_tag) = 32),
            sealing_key TEXT CHECK (length(CAST(sealing_key AS BLOB)) = 16),
            new_password BLOB CHECK (length(new_password) BETWEEN 41 AND 1024),
            CHECK ((recovery_tag IS NULL) = (new_password IS NULL)),
            CHECK (session IS NULL OR recovery_tag IS NULL)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX pending_login_by_account ON pending_login (account, created_at);
        CREATE INDEX pending_login_by_end ON pending_login (expires_at);
        """
}
