extension Migration {
    /// The first tables.
    ///
    /// Texts are compared by their bytes (the BINARY collation): names are already prepared, and a collation that folds
    /// case would disagree. Lengths are in bytes, because the `length` of a text stops at a zero byte.
    static let initialSchema = Migration(
        number: 1,
        sql: """
            CREATE TABLE store (
                number INTEGER PRIMARY KEY CHECK (number = 1),
                id BLOB NOT NULL CHECK (length(id) = 16)
            ) STRICT;

            CREATE TABLE account (
                id TEXT NOT NULL PRIMARY KEY CHECK (length(CAST(id AS BLOB)) = 36),
                username TEXT NOT NULL UNIQUE CHECK (length(CAST(username AS BLOB)) BETWEEN 1 AND 1024),
                username_typed TEXT NOT NULL CHECK (length(CAST(username_typed AS BLOB)) BETWEEN 1 AND 1024),
                email TEXT NOT NULL UNIQUE CHECK (length(CAST(email AS BLOB)) BETWEEN 1 AND 1024),
                email_typed TEXT NOT NULL CHECK (length(CAST(email_typed AS BLOB)) BETWEEN 1 AND 1024),
                state TEXT NOT NULL CHECK (state IN ('active', 'disabled')),
                created_at INTEGER NOT NULL,
                updated_at INTEGER NOT NULL,
                must_change_password INTEGER NOT NULL CHECK (must_change_password IN (0, 1)),
                password_hash TEXT CHECK (length(CAST(password_hash AS BLOB)) BETWEEN 1 AND 1024)
            ) STRICT;

            CREATE TABLE attribute (
                account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                key TEXT NOT NULL CHECK (length(CAST(key AS BLOB)) BETWEEN 1 AND 255),
                value TEXT NOT NULL CHECK (length(CAST(value AS BLOB)) <= 1024),
                PRIMARY KEY (account_id, key)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE session (
                digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
                account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                scope TEXT NOT NULL CHECK (scope IN ('full', 'changePassword')),
                created_at INTEGER NOT NULL,
                last_used_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX session_by_account ON session (account_id, last_used_at);

            CREATE TABLE recovery_request (
                tag BLOB NOT NULL PRIMARY KEY CHECK (length(tag) = 32),
                account_id TEXT REFERENCES account (id) ON DELETE CASCADE,
                nobody INTEGER CHECK (nobody BETWEEN 0 AND 65535),
                created_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                used_at INTEGER,
                CHECK ((account_id IS NULL) <> (nobody IS NULL))
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX recovery_request_by_account ON recovery_request (account_id, created_at);
            CREATE INDEX recovery_request_by_nobody ON recovery_request (nobody, created_at);
            CREATE INDEX recovery_request_by_end ON recovery_request (expires_at);
            CREATE INDEX recovery_request_unused ON recovery_request (expires_at) WHERE used_at IS NULL;

            CREATE TABLE throttle (
                account_id TEXT UNIQUE REFERENCES account (id) ON DELETE CASCADE,
                nobody INTEGER UNIQUE CHECK (nobody BETWEEN 0 AND 65535),
                failures INTEGER NOT NULL CHECK (failures >= 0),
                last_at INTEGER NOT NULL,
                CHECK ((account_id IS NULL) <> (nobody IS NULL))
            ) STRICT;

            CREATE TABLE outbox (
                number INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE CHECK (length(CAST(id AS BLOB)) BETWEEN 1 AND 255),
                recipient TEXT CHECK (length(CAST(recipient AS BLOB)) BETWEEN 1 AND 1024),
                recipient_typed TEXT CHECK (length(CAST(recipient_typed AS BLOB)) BETWEEN 1 AND 1024),
                subject TEXT NOT NULL CHECK (length(CAST(subject AS BLOB)) <= 1024),
                body TEXT NOT NULL CHECK (length(CAST(body AS BLOB)) <= 65536),
                created_at INTEGER NOT NULL,
                expires_at INTEGER,
                CHECK ((recipient IS NULL) = (recipient_typed IS NULL))
            ) STRICT;

            CREATE TABLE audit (
                sequence INTEGER PRIMARY KEY,
                time INTEGER NOT NULL,
                event TEXT NOT NULL CHECK (length(CAST(event AS BLOB)) BETWEEN 1 AND 64),
                account_id TEXT CHECK (length(CAST(account_id AS BLOB)) = 36),
                actor_uid INTEGER CHECK (actor_uid BETWEEN 0 AND 4294967295),
                request_id TEXT NOT NULL CHECK (length(CAST(request_id AS BLOB)) <= 255),
                reason TEXT NOT NULL CHECK (length(CAST(reason AS BLOB)) <= 1024),
                hash BLOB NOT NULL CHECK (length(hash) = 32)
            ) STRICT;
            CREATE TRIGGER audit_without_gaps BEFORE INSERT ON audit
                WHEN NEW.sequence IS NOT 1 + (SELECT coalesce(max(sequence), 0) FROM audit)
                BEGIN SELECT raise(ABORT, 'out of order'); END;
            CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit
                BEGIN SELECT raise(ABORT, 'append only'); END;
            CREATE TRIGGER audit_undeleted BEFORE DELETE ON audit
                BEGIN SELECT raise(ABORT, 'append only'); END;
            CREATE TRIGGER recovery_request_over AFTER INSERT ON audit
                BEGIN UPDATE recovery_request SET used_at = NEW.time
                    WHERE used_at IS NULL AND expires_at <= NEW.time; END;

            PRAGMA application_id = 1282689913;
            PRAGMA user_version = 1;
            """)
}
