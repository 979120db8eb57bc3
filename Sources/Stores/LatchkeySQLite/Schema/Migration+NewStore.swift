extension Migration {
    /// Creates a new store with schema 13 at once, so that its file has no pages left over from older schemas. A test
    /// compares it with a migrated store.
    ///
    /// Texts are compared by their bytes (the BINARY collation): names are already prepared, and a collation that folds
    /// case would disagree. Lengths are in bytes, because the `length` of a text stops at a zero byte.
    static let newStore = Migration(
        number: 13,
        sql: """
            CREATE TABLE store (
                number INTEGER PRIMARY KEY CHECK (number = 1),
                id BLOB NOT NULL CHECK (length(id) = 16),
                flood_since INTEGER,
                flood_recorded INTEGER CHECK (flood_recorded >= 0),
                flood_counted INTEGER CHECK (flood_counted >= 0),
                clock_seen INTEGER NOT NULL DEFAULT 0,
                clock_highest INTEGER NOT NULL DEFAULT 0,
                wrong_codes INTEGER NOT NULL DEFAULT 0 CHECK (wrong_codes >= 0),
                wrong_codes_since INTEGER NOT NULL DEFAULT 0
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
                attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
                next_attempt_at INTEGER NOT NULL DEFAULT 0,
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
                hash BLOB NOT NULL CHECK (length(hash) = 32),
                version INTEGER NOT NULL DEFAULT 1 CHECK (version >= 1),
                since_boot INTEGER,
                boot_id TEXT CHECK (length(CAST(boot_id AS BLOB)) <= 64),
                acting_account_id TEXT CHECK (length(CAST(acting_account_id AS BLOB)) = 36),
                process_uid INTEGER CHECK (process_uid BETWEEN 0 AND 4294967295),
                source TEXT CHECK (length(CAST(source AS BLOB)) <= 255),
                app_version TEXT CHECK (length(CAST(app_version AS BLOB)) <= 64),
                actor_token TEXT CHECK (length(CAST(actor_token AS BLOB)) = 8)
            ) STRICT;
            CREATE INDEX audit_rotation ON audit (sequence) WHERE event = 'audit_rotate';
            CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit
                BEGIN SELECT raise(ABORT, 'append only'); END;
            CREATE TRIGGER audit_dropped_from_its_start BEFORE DELETE ON audit
                WHEN OLD.sequence IS NOT (SELECT min(sequence) FROM audit)
                    OR NOT EXISTS (SELECT 1 FROM audit WHERE event = 'audit_rotate' AND sequence > OLD.sequence)
                BEGIN SELECT raise(ABORT, 'append only'); END;

            CREATE TABLE sealing_key (
                number INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE CHECK (length(CAST(id AS BLOB)) = 16),
                created_at INTEGER NOT NULL
            ) STRICT;

            CREATE TABLE throttle_source (
                number INTEGER PRIMARY KEY CHECK (number BETWEEN 0 AND 65535),
                failures INTEGER NOT NULL CHECK (failures >= 0),
                since INTEGER NOT NULL,
                last_at INTEGER NOT NULL,
                names BLOB NOT NULL CHECK (length(names) <= 44 AND length(names) % 4 = 0)
            ) STRICT;

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
            """,
        tables: accountTables,
        moreTables: [auditWithoutGaps, tokenTables, deviceTables, factorTables, appPasswordTables, passkeyTables],
        end: "PRAGMA application_id = 1282689913; PRAGMA user_version = 13;")

    /// A new record has the number after the last one.
    static let auditWithoutGaps: StaticString = """
        CREATE TRIGGER audit_without_gaps BEFORE INSERT ON audit
            WHEN NEW.sequence IS NOT 1 + (SELECT coalesce(max(sequence), 0) FROM audit)
            BEGIN SELECT raise(ABORT, 'out of order'); END;
        """
}
