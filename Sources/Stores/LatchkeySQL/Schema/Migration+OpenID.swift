extension Migration {
    /// Groups, and applications that log their users in.
    static let applications = Migration(
        15, "applications", sqlite: groups.sqlite + openID.sqlite, postgres: groups.postgres + openID.postgres)

    /// Applications, their keys, requests and tokens.
    private static let openID: Statements = (
        sqlite: [
            "ALTER TABLE session ADD COLUMN sid BLOB CHECK (length(sid) = 16)",
            "ALTER TABLE outbox ADD COLUMN client TEXT CHECK (length(CAST(client AS BLOB)) BETWEEN 1 AND 128)",
            """
            ALTER TABLE audit ADD COLUMN actor_client TEXT
                CHECK (length(CAST(actor_client AS BLOB)) BETWEEN 1 AND 128)
            """,
            """
            CREATE TABLE client (
                number INTEGER PRIMARY KEY,
                client_id TEXT NOT NULL UNIQUE CHECK (length(CAST(client_id AS BLOB)) BETWEEN 1 AND 128),
                name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 64),
                settings TEXT NOT NULL CHECK (length(CAST(settings AS BLOB)) BETWEEN 2 AND 1048576),
                secret_digest BLOB CHECK (length(secret_digest) = 32),
                second_digest BLOB CHECK (length(second_digest) = 32),
                is_disabled INTEGER NOT NULL CHECK (is_disabled IN (0, 1)),
                pkce_logins INTEGER NOT NULL CHECK (pkce_logins >= 0),
                created_at INTEGER NOT NULL,
                used_at INTEGER,
                keys_fetched_at INTEGER,
                tag BLOB CHECK (length(tag) = 32)
            ) STRICT;
            """,
            """
            CREATE TABLE signing_key (
                number INTEGER PRIMARY KEY,
                kid TEXT NOT NULL UNIQUE CHECK (length(CAST(kid AS BLOB)) = 22),
                algorithm TEXT NOT NULL CHECK (length(CAST(algorithm AS BLOB)) BETWEEN 1 AND 16),
                public BLOB NOT NULL CHECK (length(public) BETWEEN 1 AND 4096),
                sealed_private BLOB NOT NULL CHECK (length(sealed_private) BETWEEN 41 AND 8192),
                sealing_key TEXT CHECK (length(CAST(sealing_key AS BLOB)) = 16),
                created_at INTEGER NOT NULL,
                active_at INTEGER NOT NULL,
                retired_at INTEGER,
                tag BLOB CHECK (length(tag) = 32)
            ) STRICT;
            """,
            """
            CREATE TABLE authorization_request (
                digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
                browser BLOB NOT NULL CHECK (length(browser) = 32),
                network BLOB NOT NULL CHECK (length(network) IN (0, 4, 8)),
                client INTEGER NOT NULL REFERENCES client (number) ON DELETE CASCADE,
                parameters TEXT NOT NULL CHECK (length(CAST(parameters AS BLOB)) BETWEEN 2 AND 16384),
                created_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            """,
            """
            CREATE TABLE consent (
                account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
                client INTEGER NOT NULL REFERENCES client (number) ON DELETE CASCADE,
                scopes TEXT NOT NULL CHECK (length(CAST(scopes AS BLOB)) <= 4096),
                at INTEGER NOT NULL,
                PRIMARY KEY (account, client)
            ) STRICT, WITHOUT ROWID;
            """,
            """
            CREATE TABLE access_grant (
                number INTEGER PRIMARY KEY,
                id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
                account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
                client INTEGER NOT NULL REFERENCES client (number) ON DELETE CASCADE,
                sid BLOB NOT NULL CHECK (length(sid) = 16),
                scopes TEXT NOT NULL CHECK (length(CAST(scopes AS BLOB)) <= 4096),
                auth_time INTEGER NOT NULL,
                methods INTEGER NOT NULL CHECK (methods BETWEEN 0 AND 15),
                created_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                tag BLOB CHECK (length(tag) = 32)
            ) STRICT;
            """,
            """
            CREATE TABLE grant_token (
                digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 16),
                access_grant INTEGER NOT NULL REFERENCES access_grant (number) ON DELETE CASCADE,
                kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 2),
                details TEXT NOT NULL CHECK (length(CAST(details AS BLOB)) <= 16384),
                created_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                used_at INTEGER,
                tag BLOB CHECK (length(tag) = 16)
            ) STRICT;
            """,
            """
            CREATE TABLE device_request (
                digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
                code_tag BLOB NOT NULL UNIQUE CHECK (length(code_tag) = 32),
                client INTEGER NOT NULL REFERENCES client (number) ON DELETE CASCADE,
                scopes TEXT NOT NULL CHECK (length(CAST(scopes AS BLOB)) <= 4096),
                state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 2),
                access_grant INTEGER REFERENCES access_grant (number) ON DELETE CASCADE,
                source TEXT NOT NULL CHECK (length(CAST(source AS BLOB)) <= 255),
                created_at INTEGER NOT NULL,
                polled_at INTEGER,
                interval INTEGER NOT NULL CHECK (interval >= 0),
                tag BLOB CHECK (length(tag) = 32)
            ) STRICT, WITHOUT ROWID;
            """,
            openIDIndexes,
        ],
        postgres: [
            "ALTER TABLE session ADD COLUMN sid bytea CHECK (octet_length(sid) = 16)",
            """
            ALTER TABLE outbox ADD COLUMN client text COLLATE "C" CHECK (octet_length(client) BETWEEN 1 AND 128)
            """,
            """
            ALTER TABLE audit ADD COLUMN actor_client text COLLATE "C"
                CHECK (octet_length(actor_client) BETWEEN 1 AND 128)
            """,
            """
            CREATE TABLE client (
                number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
                client_id text COLLATE "C" NOT NULL UNIQUE CHECK (octet_length(client_id) BETWEEN 1 AND 128),
                name text COLLATE "C" NOT NULL CHECK (octet_length(name) BETWEEN 1 AND 64),
                settings text COLLATE "C" NOT NULL CHECK (octet_length(settings) BETWEEN 2 AND 1048576),
                secret_digest bytea CHECK (octet_length(secret_digest) = 32),
                second_digest bytea CHECK (octet_length(second_digest) = 32),
                is_disabled bigint NOT NULL CHECK (is_disabled IN (0, 1)),
                pkce_logins bigint NOT NULL CHECK (pkce_logins >= 0),
                created_at bigint NOT NULL,
                used_at bigint,
                keys_fetched_at bigint,
                tag bytea CHECK (octet_length(tag) = 32)
            );
            """,
            """
            CREATE TABLE signing_key (
                number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
                kid text COLLATE "C" NOT NULL UNIQUE CHECK (octet_length(kid) = 22),
                algorithm text COLLATE "C" NOT NULL CHECK (octet_length(algorithm) BETWEEN 1 AND 16),
                public bytea NOT NULL CHECK (octet_length(public) BETWEEN 1 AND 4096),
                sealed_private bytea NOT NULL CHECK (octet_length(sealed_private) BETWEEN 41 AND 8192),
                sealing_key text COLLATE "C" CHECK (octet_length(sealing_key) = 16),
                created_at bigint NOT NULL,
                active_at bigint NOT NULL,
                retired_at bigint,
                tag bytea CHECK (octet_length(tag) = 32)
            );
            """,
            """
            CREATE TABLE authorization_request (
                digest bytea NOT NULL PRIMARY KEY CHECK (octet_length(digest) = 32),
                browser bytea NOT NULL CHECK (octet_length(browser) = 32),
                network bytea NOT NULL CHECK (octet_length(network) IN (0, 4, 8)),
                client bigint NOT NULL REFERENCES client (number) ON DELETE CASCADE,
                parameters text COLLATE "C" NOT NULL CHECK (octet_length(parameters) BETWEEN 2 AND 16384),
                created_at bigint NOT NULL
            );
            """,
            """
            CREATE TABLE consent (
                account bigint NOT NULL REFERENCES account (number) ON DELETE CASCADE,
                client bigint NOT NULL REFERENCES client (number) ON DELETE CASCADE,
                scopes text COLLATE "C" NOT NULL CHECK (octet_length(scopes) <= 4096),
                at bigint NOT NULL,
                PRIMARY KEY (account, client)
            );
            """,
            """
            CREATE TABLE access_grant (
                number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
                id bytea NOT NULL UNIQUE CHECK (octet_length(id) = 16),
                account bigint NOT NULL REFERENCES account (number) ON DELETE CASCADE,
                client bigint NOT NULL REFERENCES client (number) ON DELETE CASCADE,
                sid bytea NOT NULL CHECK (octet_length(sid) = 16),
                scopes text COLLATE "C" NOT NULL CHECK (octet_length(scopes) <= 4096),
                auth_time bigint NOT NULL,
                methods bigint NOT NULL CHECK (methods BETWEEN 0 AND 15),
                created_at bigint NOT NULL,
                expires_at bigint NOT NULL,
                tag bytea CHECK (octet_length(tag) = 32)
            );
            """,
            """
            CREATE TABLE grant_token (
                digest bytea NOT NULL PRIMARY KEY CHECK (octet_length(digest) = 16),
                access_grant bigint NOT NULL REFERENCES access_grant (number) ON DELETE CASCADE,
                kind bigint NOT NULL CHECK (kind BETWEEN 0 AND 2),
                details text COLLATE "C" NOT NULL CHECK (octet_length(details) <= 16384),
                created_at bigint NOT NULL,
                expires_at bigint NOT NULL,
                used_at bigint,
                tag bytea CHECK (octet_length(tag) = 16)
            );
            """,
            """
            CREATE TABLE device_request (
                digest bytea NOT NULL PRIMARY KEY CHECK (octet_length(digest) = 32),
                code_tag bytea NOT NULL UNIQUE CHECK (octet_length(code_tag) = 32),
                client bigint NOT NULL REFERENCES client (number) ON DELETE CASCADE,
                scopes text COLLATE "C" NOT NULL CHECK (octet_length(scopes) <= 4096),
                state bigint NOT NULL CHECK (state BETWEEN 0 AND 2),
                access_grant bigint REFERENCES access_grant (number) ON DELETE CASCADE,
                source text COLLATE "C" NOT NULL CHECK (octet_length(source) <= 255),
                created_at bigint NOT NULL,
                polled_at bigint,
                interval bigint NOT NULL CHECK (interval >= 0),
                tag bytea CHECK (octet_length(tag) = 32)
            );
            """,
            openIDIndexes,
        ]
    )

    private static let openIDIndexes: StaticString = """
        CREATE INDEX authorization_request_by_network ON authorization_request (network, created_at);
        CREATE INDEX authorization_request_by_client ON authorization_request (client);
        CREATE INDEX authorization_request_by_creation ON authorization_request (created_at);
        CREATE INDEX consent_by_client ON consent (client);
        CREATE INDEX access_grant_by_account ON access_grant (account);
        CREATE INDEX access_grant_by_client ON access_grant (client);
        CREATE INDEX access_grant_by_end ON access_grant (expires_at);
        CREATE INDEX grant_token_by_grant ON grant_token (access_grant);
        CREATE INDEX device_request_by_client ON device_request (client);
        CREATE INDEX device_request_by_grant ON device_request (access_grant);
        CREATE INDEX device_request_by_creation ON device_request (created_at);
        """
}
