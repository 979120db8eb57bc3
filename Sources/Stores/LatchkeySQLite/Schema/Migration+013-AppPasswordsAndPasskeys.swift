extension Migration {
    /// Adds passwords for programs that cannot ask for a second factor, and passkeys.
    static let appPasswordsAndPasskeys = Migration(
        number: 13, sql: "", moreTables: [appPasswordTables, passkeyTables], end: "PRAGMA user_version = 13;")

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

    /// The passkeys and the challenges that wait for one, likewise. A session gets one more way to authenticate.
    static let passkeyTables: StaticString = """
        CREATE TABLE passkey (
            number INTEGER PRIMARY KEY,
            credential BLOB NOT NULL UNIQUE CHECK (length(credential) BETWEEN 1 AND 1023),
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256),
            public_key BLOB NOT NULL CHECK (length(public_key) BETWEEN 1 AND 2048),
            sign_count INTEGER NOT NULL CHECK (sign_count BETWEEN 0 AND 4294967295),
            is_backup_eligible INTEGER NOT NULL CHECK (is_backup_eligible IN (0, 1)),
            is_backed_up INTEGER NOT NULL CHECK (is_backed_up IN (0, 1)),
            transports TEXT NOT NULL CHECK (length(CAST(transports AS BLOB)) <= 256),
            created_at INTEGER NOT NULL,
            last_used_at INTEGER
        ) STRICT;
        CREATE INDEX passkey_by_account ON passkey (account, created_at);

        CREATE TABLE passkey_challenge (
            challenge BLOB NOT NULL PRIMARY KEY CHECK (length(challenge) = 32),
            account INTEGER REFERENCES account (number) ON DELETE CASCADE,
            network BLOB NOT NULL CHECK (length(network) IN (0, 4, 8)),
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX passkey_challenge_by_end ON passkey_challenge (expires_at);
        CREATE INDEX passkey_challenge_by_account ON passkey_challenge (account);

        ALTER TABLE session ADD COLUMN ways INTEGER NOT NULL DEFAULT 1 CHECK (ways BETWEEN 0 AND 15);
        UPDATE session SET ways = methods;
        ALTER TABLE session DROP COLUMN methods;
        ALTER TABLE session RENAME COLUMN ways TO methods;
        """
}
