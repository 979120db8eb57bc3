import LatchkeyAccounts

/// The tables of schema 13, which mean the same as the tables of an SQLite store with that number.
///
/// - Every integer is a `bigint`, so that a parameter has one binary form. Times are in milliseconds since 1970.
/// - Login names and addresses of accounts are `bytea` with UTF-8: they are compared by their bytes, and a `text` holds no
///   zero byte. `convert_from(login_name, 'UTF8')` shows them. All other texts have the collation "C", so that they are
///   compared by their bytes too.
/// - `store_lock` has the one row that each writer locks first.
/// - `store.copy_of` has the state of the source while `store copy` fills the tables.
/// - `writer` has the number of the last committed write of each ``PostgresWorker``, for a week.
/// - A change of these tables is a new schema.
enum PostgresSchema {
    /// The schema that this version reads and writes.
    static let newest = 13

    /// The number of the database's schema; nil if it has no store.
    static func number(in database: PostgresConnection) throws(PostgresError) -> Int? {
        guard try database.integer("SELECT 1 WHERE to_regclass('store_lock') IS NOT NULL") != nil else { return nil }
        do throws(PostgresError) {
            let store = try database.row("SELECT schema, copy_of IS NOT NULL FROM store") {
                (row) throws(PostgresError) in (Int(try row.integer(0)), try row.integer(1) == 1)
            }
            guard let (number, isCopying) = store else { throw .corrupt }
            if isCopying { throw .refused(.incomplete) }
            return number
        } catch .server(let state) where state == .undefinedTable || state == .undefinedColumn {
            // A table of another program has the name.
            throw .refused(.notAStore)
        }
    }

    /// The store's ID and the tag of its key.
    static func identity(in database: PostgresConnection) throws(PostgresError) -> StoreIdentity {
        let identity = try database.row("SELECT id, key_tag FROM store") { (row) throws(PostgresError) in
            StoreIdentity(id: try row.bytes(0), keyTag: try row.bytes(1))
        }
        guard let identity else { throw .corrupt }
        return identity
    }

    /// Creates an empty store in one transaction. Does nothing if another process does the same.
    ///
    /// - Parameter state: of the store that will be copied; nil for a store that is complete.
    static func create(
        _ identity: StoreIdentity, copying state: String? = nil, in database: PostgresConnection
    ) throws(PostgresError) {
        // Names and addresses are UTF-8 in any case, but texts would be converted.
        let encoding = try database.row("SELECT current_setting('server_encoding')") {
            (row) throws(PostgresError) in try row.text(0)
        }
        guard encoding == "UTF8" else { throw .refused(.encoding) }
        do throws(PostgresError) {
            try database.execute("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
            for statements in [storeTables, accountTables, factorTables, triggers] {
                try database.execute(statements)
            }
            try database.run(
                "INSERT INTO store (number, id, key_tag, schema, copy_of) VALUES (1, $1, $2, $3, $4)",
                .bytes(identity.id), .bytes(identity.keyTag), .integer(Int64(newest)), .text(state))
            try database.commit()
        } catch {
            try database.rollBack()
            // The other process has committed, because a table's name is locked until then.
            let states = [SQLState.duplicateTable, .duplicateObject, .uniqueViolation]
            guard case .server(let state) = error, states.contains(state) else { throw error }
        }
    }

    /// What belongs to no account.
    private static let storeTables: StaticString = """
        CREATE TABLE store_lock (
            number bigint PRIMARY KEY CHECK (number = 1)
        );
        INSERT INTO store_lock (number) VALUES (1);

        CREATE TABLE store (
            number bigint PRIMARY KEY CHECK (number = 1),
            id bytea NOT NULL CHECK (octet_length(id) = 16),
            key_tag bytea NOT NULL CHECK (octet_length(key_tag) = 32),
            schema bigint NOT NULL CHECK (schema >= 13),
            copy_of text COLLATE "C",
            flood_since bigint,
            flood_recorded bigint CHECK (flood_recorded >= 0),
            flood_counted bigint CHECK (flood_counted >= 0),
            clock_seen bigint NOT NULL DEFAULT 0,
            clock_highest bigint NOT NULL DEFAULT 0,
            wrong_codes bigint NOT NULL DEFAULT 0 CHECK (wrong_codes >= 0),
            wrong_codes_since bigint NOT NULL DEFAULT 0
        );

        CREATE TABLE writer (
            id uuid PRIMARY KEY,
            last_write bigint NOT NULL,
            written_at timestamptz NOT NULL DEFAULT now()
        );
        CREATE INDEX writer_by_age ON writer (written_at);

        CREATE TABLE outbox (
            number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
            id text COLLATE "C" NOT NULL UNIQUE CHECK (octet_length(id) BETWEEN 1 AND 255),
            recipient text COLLATE "C" CHECK (octet_length(recipient) BETWEEN 1 AND 1024),
            recipient_typed text COLLATE "C" CHECK (octet_length(recipient_typed) BETWEEN 1 AND 1024),
            subject text COLLATE "C" NOT NULL CHECK (octet_length(subject) <= 1024),
            body text COLLATE "C" NOT NULL CHECK (octet_length(body) <= 65536),
            created_at bigint NOT NULL,
            expires_at bigint,
            attempts bigint NOT NULL DEFAULT 0 CHECK (attempts >= 0),
            next_attempt_at bigint NOT NULL DEFAULT 0,
            CHECK ((recipient IS NULL) = (recipient_typed IS NULL))
        );

        CREATE TABLE audit (
            sequence bigint PRIMARY KEY,
            time bigint NOT NULL,
            event text COLLATE "C" NOT NULL CHECK (octet_length(event) BETWEEN 1 AND 64),
            account_id text COLLATE "C" CHECK (octet_length(account_id) = 36),
            actor_uid bigint CHECK (actor_uid BETWEEN 0 AND 4294967295),
            request_id text COLLATE "C" NOT NULL CHECK (octet_length(request_id) <= 255),
            reason text COLLATE "C" NOT NULL CHECK (octet_length(reason) <= 1024),
            hash bytea NOT NULL CHECK (octet_length(hash) = 32),
            version bigint NOT NULL DEFAULT 1 CHECK (version >= 1),
            since_boot bigint,
            boot_id text COLLATE "C" CHECK (octet_length(boot_id) <= 64),
            acting_account_id text COLLATE "C" CHECK (octet_length(acting_account_id) = 36),
            process_uid bigint CHECK (process_uid BETWEEN 0 AND 4294967295),
            source text COLLATE "C" CHECK (octet_length(source) <= 255),
            app_version text COLLATE "C" CHECK (octet_length(app_version) <= 64),
            actor_token text COLLATE "C" CHECK (octet_length(actor_token) = 8)
        );
        CREATE INDEX audit_rotation ON audit (sequence) WHERE event = 'audit_rotate';

        CREATE TABLE sealing_key (
            number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
            id text COLLATE "C" NOT NULL UNIQUE CHECK (octet_length(id) = 16),
            created_at bigint NOT NULL
        );

        CREATE TABLE throttle_source (
            number bigint PRIMARY KEY CHECK (number BETWEEN 0 AND 65535),
            failures bigint NOT NULL CHECK (failures >= 0),
            since bigint NOT NULL,
            last_at bigint NOT NULL,
            names bytea NOT NULL CHECK (octet_length(names) <= 44 AND octet_length(names) % 4 = 0)
        );

        CREATE TABLE throttle_identifier (
            number bigint PRIMARY KEY CHECK (number BETWEEN 0 AND 65535),
            failures bigint NOT NULL CHECK (failures >= 0),
            last_at bigint NOT NULL,
            total bigint NOT NULL CHECK (total >= 0),
            extra_at bigint,
            flood_since bigint,
            flood_recorded bigint CHECK (flood_recorded >= 0),
            flood_counted bigint CHECK (flood_counted >= 0)
        );

        CREATE TABLE operator_token (
            number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
            digest bytea NOT NULL UNIQUE CHECK (octet_length(digest) = 32),
            name text COLLATE "C" NOT NULL CHECK (octet_length(name) BETWEEN 1 AND 64),
            scopes bigint NOT NULL CHECK (scopes BETWEEN 1 AND 15),
            created_at bigint NOT NULL,
            expires_at bigint,
            last_used_at bigint
        );
        """

    /// Accounts and what refers to them. `account.number` is the key that the other tables refer to.
    private static let accountTables: StaticString = """
        CREATE TABLE hash_kind (
            number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
            prefix text COLLATE "C" NOT NULL CHECK (octet_length(prefix) <= 1024),
            milliseconds bigint NOT NULL CHECK (milliseconds >= 0),
            accounts bigint NOT NULL CHECK (accounts >= 0),
            UNIQUE (prefix, milliseconds)
        );

        CREATE TABLE account (
            number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
            id uuid NOT NULL UNIQUE,
            login_name bytea NOT NULL UNIQUE CHECK (octet_length(login_name) BETWEEN 1 AND 1024),
            username_typed bytea CHECK (octet_length(username_typed) BETWEEN 1 AND 1024),
            email bytea NOT NULL UNIQUE CHECK (octet_length(email) BETWEEN 1 AND 1024),
            email_typed bytea CHECK (octet_length(email_typed) BETWEEN 1 AND 1024),
            state bigint NOT NULL CHECK (state IN (0, 1)),
            created_at bigint NOT NULL,
            updated_at bigint,
            email_verified_at bigint,
            verify_by bigint,
            must_change_password bigint NOT NULL CHECK (must_change_password IN (0, 1)),
            password_generation bigint NOT NULL CHECK (password_generation >= 0),
            password_expires_at bigint,
            hash_kind bigint REFERENCES hash_kind (number),
            password_hash text COLLATE "C" CHECK (octet_length(password_hash) <= 1024),
            attributes text COLLATE "C" CHECK (octet_length(attributes) BETWEEN 2 AND 524288),
            CHECK (position('\\x40'::bytea IN login_name) = 0 OR (login_name = email AND username_typed IS NULL)),
            CHECK (hash_kind IS NULL OR password_hash IS NOT NULL)
        );
        CREATE INDEX account_unverified ON account (verify_by) WHERE verify_by IS NOT NULL;

        CREATE VIEW stored_account AS
            SELECT account.number, id, login_name, username_typed, email, email_typed, state, created_at,
                updated_at, email_verified_at, verify_by, must_change_password, password_generation,
                password_expires_at, hash_kind, prefix, milliseconds, password_hash, attributes
            FROM account LEFT JOIN hash_kind ON hash_kind.number = hash_kind;

        CREATE TABLE session (
            digest bytea NOT NULL PRIMARY KEY CHECK (octet_length(digest) = 32),
            account bigint NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            scope bigint NOT NULL CHECK (scope IN (0, 1)),
            created_at bigint NOT NULL,
            last_used_at bigint NOT NULL,
            authenticated_at bigint,
            source text COLLATE "C" NOT NULL CHECK (octet_length(source) <= 255),
            methods bigint NOT NULL CHECK (methods BETWEEN 0 AND 15)
        );
        CREATE INDEX session_by_account ON session (account, last_used_at);
        CREATE INDEX session_by_creation ON session (created_at);
        CREATE INDEX session_by_use ON session (last_used_at);

        CREATE TABLE recovery_request (
            tag bytea NOT NULL PRIMARY KEY CHECK (octet_length(tag) = 32),
            account bigint REFERENCES account (number) ON DELETE CASCADE,
            unknown_name bigint CHECK (unknown_name BETWEEN 0 AND 65535),
            created_at bigint NOT NULL,
            expires_at bigint NOT NULL,
            used_at bigint,
            new_email text COLLATE "C" CHECK (octet_length(new_email) BETWEEN 1 AND 1024),
            new_email_typed text COLLATE "C" CHECK (octet_length(new_email_typed) BETWEEN 1 AND 1024),
            CHECK ((account IS NULL) <> (unknown_name IS NULL))
        );
        CREATE INDEX recovery_request_by_account ON recovery_request (account, created_at);
        CREATE INDEX recovery_request_by_unknown_name ON recovery_request (unknown_name, created_at);
        CREATE INDEX recovery_request_by_end ON recovery_request (expires_at);
        CREATE INDEX recovery_request_unused ON recovery_request (expires_at) WHERE used_at IS NULL;

        CREATE TABLE throttle (
            account bigint UNIQUE REFERENCES account (number) ON DELETE CASCADE,
            unknown_name bigint UNIQUE CHECK (unknown_name BETWEEN 0 AND 65535),
            failures bigint NOT NULL CHECK (failures >= 0),
            last_at bigint NOT NULL,
            total bigint NOT NULL CHECK (total >= 0),
            extra_at bigint,
            flood_since bigint,
            flood_recorded bigint CHECK (flood_recorded >= 0),
            flood_counted bigint CHECK (flood_counted >= 0),
            CHECK ((account IS NULL) <> (unknown_name IS NULL))
        );

        CREATE TABLE device (
            digest bytea NOT NULL PRIMARY KEY CHECK (octet_length(digest) = 32),
            account bigint NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            last_used_at bigint NOT NULL,
            failures bigint NOT NULL CHECK (failures >= 0)
        );
        CREATE INDEX device_by_account ON device (account, last_used_at);
        CREATE INDEX device_by_use ON device (last_used_at);
        """

    /// Second factors, app passwords and passkeys.
    private static let factorTables: StaticString = """
        CREATE TABLE authenticator (
            account bigint NOT NULL PRIMARY KEY REFERENCES account (number) ON DELETE CASCADE,
            sealing_key text COLLATE "C" CHECK (octet_length(sealing_key) = 16),
            secret bytea NOT NULL CHECK (octet_length(secret) BETWEEN 41 AND 1024),
            created_at bigint NOT NULL,
            is_confirmed bigint NOT NULL CHECK (is_confirmed IN (0, 1)),
            last_step bigint CHECK (last_step >= 0),
            last_used_at bigint
        );

        CREATE TABLE saved_code (
            tag bytea NOT NULL PRIMARY KEY CHECK (octet_length(tag) = 32),
            account bigint NOT NULL REFERENCES account (number) ON DELETE CASCADE
        );
        CREATE INDEX saved_code_by_account ON saved_code (account);

        CREATE TABLE throttle_code (
            account bigint NOT NULL PRIMARY KEY REFERENCES account (number) ON DELETE CASCADE,
            failures bigint NOT NULL CHECK (failures >= 0),
            last_at bigint NOT NULL,
            total bigint NOT NULL CHECK (total >= 0)
        );

        CREATE TABLE pending_login (
            digest bytea NOT NULL PRIMARY KEY CHECK (octet_length(digest) = 32),
            account bigint NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            network bytea NOT NULL CHECK (octet_length(network) IN (0, 4, 8)),
            password_generation bigint NOT NULL CHECK (password_generation >= 0),
            created_at bigint NOT NULL,
            expires_at bigint NOT NULL,
            session bytea CHECK (octet_length(session) = 32),
            recovery_tag bytea CHECK (octet_length(recovery_tag) = 32),
            sealing_key text COLLATE "C" CHECK (octet_length(sealing_key) = 16),
            new_password bytea CHECK (octet_length(new_password) BETWEEN 41 AND 1024),
            CHECK ((recovery_tag IS NULL) = (new_password IS NULL)),
            CHECK (session IS NULL OR recovery_tag IS NULL)
        );
        CREATE INDEX pending_login_by_account ON pending_login (account, created_at);
        CREATE INDEX pending_login_by_end ON pending_login (expires_at);

        CREATE TABLE app_password (
            tag bytea NOT NULL PRIMARY KEY CHECK (octet_length(tag) = 32),
            account bigint NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            name text COLLATE "C" NOT NULL CHECK (octet_length(name) BETWEEN 1 AND 256),
            created_at bigint NOT NULL,
            last_used_at bigint
        );
        CREATE INDEX app_password_by_account ON app_password (account, created_at);

        CREATE TABLE passkey (
            number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
            credential bytea NOT NULL UNIQUE CHECK (octet_length(credential) BETWEEN 1 AND 1023),
            account bigint NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            name text COLLATE "C" NOT NULL CHECK (octet_length(name) BETWEEN 1 AND 256),
            public_key bytea NOT NULL CHECK (octet_length(public_key) BETWEEN 1 AND 2048),
            sign_count bigint NOT NULL CHECK (sign_count BETWEEN 0 AND 4294967295),
            is_backup_eligible bigint NOT NULL CHECK (is_backup_eligible IN (0, 1)),
            is_backed_up bigint NOT NULL CHECK (is_backed_up IN (0, 1)),
            transports text COLLATE "C" NOT NULL CHECK (octet_length(transports) <= 256),
            created_at bigint NOT NULL,
            last_used_at bigint
        );
        CREATE INDEX passkey_by_account ON passkey (account, created_at);

        CREATE TABLE passkey_challenge (
            challenge bytea NOT NULL PRIMARY KEY CHECK (octet_length(challenge) = 32),
            account bigint REFERENCES account (number) ON DELETE CASCADE,
            network bytea NOT NULL CHECK (octet_length(network) IN (0, 4, 8)),
            expires_at bigint NOT NULL
        );
        CREATE INDEX passkey_challenge_by_end ON passkey_challenge (expires_at);
        CREATE INDEX passkey_challenge_by_account ON passkey_challenge (account);
        """

    /// The audit trail has no gaps, never changes, and loses only closed segments at its start. A record marks every code
    /// that has expired by its time as used.
    private static let triggers: StaticString = """
        CREATE FUNCTION audit_check_number() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF NEW.sequence IS DISTINCT FROM 1 + (SELECT coalesce(max(sequence), 0) FROM audit) THEN
                RAISE EXCEPTION 'out of order' USING ERRCODE = 'check_violation';
            END IF;
            RETURN NEW;
        END $$;
        CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            RAISE EXCEPTION 'append only' USING ERRCODE = 'check_violation';
        END $$;
        CREATE FUNCTION audit_check_drop() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE
            last_dropped bigint := (SELECT max(sequence) FROM dropped);
        BEGIN
            IF EXISTS (SELECT 1 FROM audit WHERE sequence < last_dropped) OR (last_dropped IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM audit WHERE event = 'audit_rotate' AND sequence > last_dropped)) THEN
                RAISE EXCEPTION 'append only' USING ERRCODE = 'check_violation';
            END IF;
            RETURN NULL;
        END $$;
        CREATE FUNCTION recovery_request_end() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            UPDATE recovery_request SET used_at = NEW.time WHERE used_at IS NULL AND expires_at <= NEW.time;
            RETURN NULL;
        END $$;
        CREATE TRIGGER audit_without_gaps BEFORE INSERT ON audit
            FOR EACH ROW EXECUTE FUNCTION audit_check_number();
        CREATE TRIGGER audit_unchanged BEFORE UPDATE OR TRUNCATE ON audit
            FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse();
        CREATE TRIGGER audit_dropped_from_its_start AFTER DELETE ON audit REFERENCING OLD TABLE AS dropped
            FOR EACH STATEMENT EXECUTE FUNCTION audit_check_drop();
        CREATE TRIGGER recovery_request_over AFTER INSERT ON audit
            FOR EACH ROW EXECUTE FUNCTION recovery_request_end();
        """
}
