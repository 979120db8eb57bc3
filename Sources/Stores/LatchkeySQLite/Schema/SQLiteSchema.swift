/// The tables of schema 13, equivalent to those of a PostgreSQL store (`PostgresSchema+Tables.swift`). Both
/// have the indexes and the view of `StoreIndexes.swift`, and the changes of `Migration.swift` come after them.
///
/// - Texts are compared by their bytes (the BINARY collation), because names are already prepared and a case-folding
///   collation would disagree. Lengths are in bytes, because the `length` of a text stops at a zero byte.
/// - Other tables refer to `account.number`, so that the 16 bytes of an ID are stored only once.
/// - `login_name` is the prepared username, or the folded address of an account without a username. A username cannot
///   contain `@`, so the two never collide. `username_typed` and `email_typed` are null if preparing or folding changed
///   nothing.
/// - `updated_at` is null until the account is changed.
/// - A hash consists of the `prefix` of its kind and `password_hash`, or of `password_hash` alone if there is no kind.
///   Each kind counts its accounts, so that the most expensive hash and the used sealing keys can be found without an
///   index.
/// - `attributes` is a JSON object, or null if there are none.
/// - States, scopes and methods are numbers; `scopes` has a bit for each ``OperatorToken/Scope``, in their order.
/// - Shared rows have numbers from 0 to 65,535, so that an attacker with many names or addresses cannot fill the disk.
enum SQLiteSchema {
    static let tables = [storeTables, accountTables, factorTables, triggers, auditWithoutGaps]

    /// The tables that do not refer to accounts.
    private static let storeTables: StaticString = """
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

        CREATE TABLE operator_token (
            number INTEGER PRIMARY KEY,
            digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
            name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 64),
            scopes INTEGER NOT NULL CHECK (scopes BETWEEN 1 AND 15),
            created_at INTEGER NOT NULL,
            expires_at INTEGER,
            last_used_at INTEGER
        ) STRICT;

        PRAGMA application_id = 1282689913;
        """

    /// Accounts and the tables that refer to them.
    private static let accountTables: StaticString = """
        CREATE TABLE hash_kind (
            number INTEGER PRIMARY KEY,
            prefix TEXT NOT NULL CHECK (length(CAST(prefix AS BLOB)) <= 1024),
            milliseconds INTEGER NOT NULL CHECK (milliseconds >= 0),
            accounts INTEGER NOT NULL CHECK (accounts >= 0),
            UNIQUE (prefix, milliseconds)
        ) STRICT;

        CREATE TABLE account (
            number INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            login_name TEXT NOT NULL UNIQUE CHECK (length(CAST(login_name AS BLOB)) BETWEEN 1 AND 1024),
            username_typed TEXT CHECK (length(CAST(username_typed AS BLOB)) BETWEEN 1 AND 1024),
            email TEXT NOT NULL UNIQUE CHECK (length(CAST(email AS BLOB)) BETWEEN 1 AND 1024),
            email_typed TEXT CHECK (length(CAST(email_typed AS BLOB)) BETWEEN 1 AND 1024),
            state INTEGER NOT NULL CHECK (state IN (0, 1)),
            created_at INTEGER NOT NULL,
            updated_at INTEGER,
            email_verified_at INTEGER,
            verify_by INTEGER,
            must_change_password INTEGER NOT NULL CHECK (must_change_password IN (0, 1)),
            password_generation INTEGER NOT NULL CHECK (password_generation >= 0),
            password_expires_at INTEGER,
            hash_kind INTEGER REFERENCES hash_kind (number),
            password_hash TEXT CHECK (length(CAST(password_hash AS BLOB)) <= 1024),
            attributes TEXT CHECK (length(CAST(attributes AS BLOB)) BETWEEN 2 AND 524288),
            CHECK (instr(login_name, '@') = 0 OR (login_name = email AND username_typed IS NULL)),
            CHECK (hash_kind IS NULL OR password_hash NOTNULL)
        ) STRICT;

        CREATE TABLE session (
            digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            scope INTEGER NOT NULL CHECK (scope IN (0, 1)),
            created_at INTEGER NOT NULL,
            last_used_at INTEGER NOT NULL,
            authenticated_at INTEGER,
            source TEXT NOT NULL CHECK (length(CAST(source AS BLOB)) <= 255),
            methods INTEGER NOT NULL DEFAULT 1 CHECK (methods BETWEEN 0 AND 15)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE recovery_request (
            tag BLOB NOT NULL PRIMARY KEY CHECK (length(tag) = 32),
            account INTEGER REFERENCES account (number) ON DELETE CASCADE,
            unknown_name INTEGER CHECK (unknown_name BETWEEN 0 AND 65535),
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            used_at INTEGER,
            new_email TEXT CHECK (length(CAST(new_email AS BLOB)) BETWEEN 1 AND 1024),
            new_email_typed TEXT CHECK (length(CAST(new_email_typed AS BLOB)) BETWEEN 1 AND 1024),
            CHECK ((account IS NULL) <> (unknown_name IS NULL))
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE throttle (
            account INTEGER UNIQUE REFERENCES account (number) ON DELETE CASCADE,
            unknown_name INTEGER UNIQUE CHECK (unknown_name BETWEEN 0 AND 65535),
            failures INTEGER NOT NULL CHECK (failures >= 0),
            last_at INTEGER NOT NULL,
            total INTEGER NOT NULL CHECK (total >= 0),
            extra_at INTEGER,
            flood_since INTEGER,
            flood_recorded INTEGER CHECK (flood_recorded >= 0),
            flood_counted INTEGER CHECK (flood_counted >= 0),
            CHECK ((account IS NULL) <> (unknown_name IS NULL))
        ) STRICT;

        CREATE TABLE device (
            digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            last_used_at INTEGER NOT NULL,
            failures INTEGER NOT NULL CHECK (failures >= 0)
        ) STRICT, WITHOUT ROWID;
        """

    /// Second factors, app passwords and passkeys. A name has at most 64 scalars.
    private static let factorTables: StaticString = """
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

        CREATE TABLE app_password (
            tag BLOB NOT NULL PRIMARY KEY CHECK (length(tag) = 32),
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256),
            created_at INTEGER NOT NULL,
            last_used_at INTEGER
        ) STRICT, WITHOUT ROWID;

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

        CREATE TABLE passkey_challenge (
            challenge BLOB NOT NULL PRIMARY KEY CHECK (length(challenge) = 32),
            account INTEGER REFERENCES account (number) ON DELETE CASCADE,
            network BLOB NOT NULL CHECK (length(network) IN (0, 4, 8)),
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// The audit trail never changes, and only closed segments can be deleted from its start. A record marks all codes
    /// that have expired at its time as used.
    private static let triggers: StaticString = """
        CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit
            BEGIN SELECT raise(ABORT, 'append only'); END;
        CREATE TRIGGER audit_dropped_from_its_start BEFORE DELETE ON audit
            WHEN OLD.sequence IS NOT (SELECT min(sequence) FROM audit)
                OR NOT EXISTS (SELECT 1 FROM audit WHERE event = 'audit_rotate' AND sequence > OLD.sequence)
            BEGIN SELECT raise(ABORT, 'append only'); END;
        CREATE TRIGGER recovery_request_over AFTER INSERT ON audit
            BEGIN UPDATE recovery_request SET used_at = NEW.time
                WHERE used_at IS NULL AND expires_at <= NEW.time; END;
        """

    /// The audit trail has no gaps. `store copy` removes this trigger while it copies a trail whose start is missing.
    static let auditWithoutGaps: StaticString = """
        CREATE TRIGGER audit_without_gaps BEFORE INSERT ON audit
            WHEN NEW.sequence IS NOT 1 + (SELECT coalesce(max(sequence), 0) FROM audit)
            BEGIN SELECT raise(ABORT, 'out of order'); END;
        """
}
