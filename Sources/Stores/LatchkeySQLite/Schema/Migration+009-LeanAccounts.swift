import LatchkeyAccounts
import LatchkeyForms
import LatchkeySQL

extension Migration {
    /// Rebuilds the account table and the tables that refer to it (docs/decisions/0035-lean-store.md).
    ///
    /// - `account.number` is the key that other tables refer to, so that the 16 bytes of an ID are stored once.
    /// - `login_name` is the prepared username, or the folded address of an account without a username. A username has
    ///   no `@`, so the two never collide.
    /// - `username_typed` and `email_typed` are null where nothing was lost by preparing or folding.
    /// - `updated_at` is null until the account changes.
    /// - A hash is the `prefix` of its kind followed by `password_hash`, and by `password_hash` alone without a kind.
    ///   The kinds count their accounts, so that the dearest hash and the sealing keys in use need no index.
    /// - `attributes` is a JSON object; null without attributes.
    /// - States and scopes are numbers: ``AccountState/column`` and ``Session/Scope/column``.
    static let leanAccounts = Migration(
        number: 9,
        sql: """
            DROP TRIGGER recovery_request_over;
            DROP INDEX account_unverified;
            DROP INDEX account_by_hash_cost;
            DROP INDEX account_by_sealing_key;
            DROP INDEX session_by_account;
            DROP INDEX session_by_creation;
            DROP INDEX session_by_use;
            DROP INDEX recovery_request_by_account;
            DROP INDEX recovery_request_by_nobody;
            DROP INDEX recovery_request_by_end;
            DROP INDEX recovery_request_unused;
            ALTER TABLE account RENAME TO account_8;
            ALTER TABLE attribute RENAME TO attribute_8;
            ALTER TABLE session RENAME TO session_8;
            ALTER TABLE recovery_request RENAME TO recovery_request_8;
            ALTER TABLE throttle RENAME TO throttle_8;
            """,
        tables: accountTables, convert: convertAccounts,
        end: """
            INSERT INTO session
                SELECT digest, account_8.rowid, scope = 'changePassword', session_8.created_at, last_used_at,
                    iif(source = 'operator', NULL, session_8.created_at), source
                FROM session_8 JOIN account_8 ON account_8.id = account_id;
            INSERT INTO recovery_request
                SELECT tag, account_8.rowid, nobody, recovery_request_8.created_at, expires_at, used_at, new_email,
                    new_email_typed
                FROM recovery_request_8 LEFT JOIN account_8 ON account_8.id = account_id;
            INSERT INTO throttle
                SELECT account_8.rowid, nobody, failures, last_at, total, extra_at, flood_since, flood_recorded,
                    flood_counted
                FROM throttle_8 LEFT JOIN account_8 ON account_8.id = account_id;
            DROP TABLE throttle_8;
            DROP TABLE recovery_request_8;
            DROP TABLE session_8;
            DROP TABLE attribute_8;
            DROP TABLE account_8;

            PRAGMA user_version = 9;
            """)

    /// The tables of accounts and of what refers to them, for a migrated store and for a new one.
    static let accountTables: StaticString = """
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
        CREATE INDEX account_unverified ON account (verify_by) WHERE verify_by IS NOT NULL;

        CREATE VIEW stored_account AS
            SELECT account.number, id, login_name, username_typed, email, email_typed, state, created_at,
                updated_at, email_verified_at, verify_by, must_change_password, password_generation,
                password_expires_at, hash_kind, prefix, milliseconds, password_hash, attributes
            FROM account LEFT JOIN hash_kind ON hash_kind.number = hash_kind;

        CREATE TABLE session (
            digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            scope INTEGER NOT NULL CHECK (scope IN (0, 1)),
            created_at INTEGER NOT NULL,
            last_used_at INTEGER NOT NULL,
            authenticated_at INTEGER,
            source TEXT NOT NULL CHECK (length(CAST(source AS BLOB)) <= 255)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX session_by_account ON session (account, last_used_at);
        CREATE INDEX session_by_creation ON session (created_at);
        CREATE INDEX session_by_use ON session (last_used_at);

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
        CREATE INDEX recovery_request_by_account ON recovery_request (account, created_at);
        CREATE INDEX recovery_request_by_unknown_name ON recovery_request (unknown_name, created_at);
        CREATE INDEX recovery_request_by_end ON recovery_request (expires_at);
        CREATE INDEX recovery_request_unused ON recovery_request (expires_at) WHERE used_at IS NULL;

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

        CREATE TRIGGER recovery_request_over AFTER INSERT ON audit
            BEGIN UPDATE recovery_request SET used_at = NEW.time
                WHERE used_at IS NULL AND expires_at <= NEW.time; END;
        """

    /// Copies the accounts. The key of an account is the row number that it already has.
    ///
    /// - Throws: ``SQLiteError/corrupt`` for an ID that is not a UUID.
    private static func convertAccounts(
        _ database: SQLiteConnection, progress: MigrationProgress
    ) throws(SQLiteError) {
        // The prefix of a hash ends at its second-last `$`, as in ``HashKind``: what remains without the characters that
        // are no `$` at the end, twice.
        try database.run(
            """
            INSERT INTO hash_kind (prefix, milliseconds, accounts)
                SELECT rtrim(rtrim(start, '$'), replace(start, '$', '')) AS prefix, hash_milliseconds, count(*)
                FROM (SELECT rtrim(password_hash, replace(password_hash, '$', '')) AS start, hash_milliseconds
                    FROM account_8 WHERE password_hash IS NOT NULL)
                GROUP BY 1, 2
            """)
        let total = Int(try database.integer("SELECT count(*) FROM account_8") ?? 0)
        var done = 0
        try database.forEach("SELECT rowid, id FROM account_8 ORDER BY rowid") { (row) throws(SQLiteError) in
            guard let id = AccountID(try row.text(1)) else { throw .corrupt }
            try database.run(
                """
                INSERT INTO account
                    SELECT account_8.rowid, ?2, username, nullif(username_typed, username), email,
                        nullif(email_typed, email), state = 'disabled', created_at, nullif(updated_at, created_at), NULL,
                        verify_by, must_change_password, password_generation, password_expires_at, hash_kind.number,
                        substr(password_hash, length(coalesce(prefix, '')) + 1),
                        (SELECT json_group_object(key, value) FROM attribute_8
                            WHERE account_id = account_8.id HAVING count(*) > 0)
                    FROM account_8 LEFT JOIN hash_kind ON milliseconds = hash_milliseconds
                        AND prefix = rtrim(rtrim(rtrim(password_hash, replace(password_hash, '$', '')), '$'),
                            replace(password_hash, '$', ''))
                    WHERE account_8.rowid = ?1
                """, .integer(try row.integer(0)), .id(id))
            done += 1
            if done % 1000 == 0 || done == total { try progress(done, total) }
        }
    }
}
