import Foundation
import LatchkeyAccounts
import LatchkeyPostgres
import LatchkeySQLite
import LatchkeySecrets
import LatchkeyTesting
import TestSupport
import Testing

@Suite(.enabled(if: PostgresServer.isInstalled, PostgresServer.reason), .timeLimit(.minutes(60)))
struct StoreTransferTests {
    let folder: TemporaryFolder
    let server: PostgresServer
    let address: String

    init() throws {
        folder = try TemporaryFolder()
        server = try PostgresServer.shared.get()
        address = try server.newDatabase()
    }

    private var path: String { folder.path(of: "accounts.sqlite") }

    /// An SQLite store with rows in every table.
    private func makeSource() async throws {
        _ = try await SQLiteAccountStore.open(path, create: true)
        let database = try SQLiteConnection(opening: path)
        try database.execute(Self.rows)
    }

    @discardableResult
    private func copy(
        _ source: any StoreTables, _ target: any StoreTables, batch: Int = 3,
        until end: Int = .max
    ) throws -> StoreTransfer {
        let locked = try source.lock()
        return try StoreTransfer(from: source, locked, to: target, key: World.key, batch: batch) {
            (done, _) throws(AccountError) in
            if done >= end { throw .store(.busy) }
        }
    }

    private func contents(of tables: any StoreTables) throws -> [[[StoredValue]]] {
        try (StoredTable.all + [.store]).map { try tables.rows(of: $0, from: 0, limit: 1000) }
    }

    @Test func `a copy to PostgreSQL and back contains every row`() async throws {
        try await makeSource()
        let source = try SQLiteTables(at: path)
        let transfer = try copy(source, PostgresTables(at: address))
        let before = try contents(of: source)
        #expect(before.allSatisfy { !$0.isEmpty })
        #expect(transfer.rows == before.dropLast().map(\.count).reduce(0, +))
        let copied = try PostgresTables(at: address)
        // A login name is a string in PostgreSQL and bytes in SQLite.
        #expect(try contents(of: copied).map(\.count) == before.map(\.count))
        let back = folder.path(of: "back.sqlite")
        try copy(PostgresTables(at: address), SQLiteTables(at: back))
        let last = try SQLiteTables(at: back)
        let (id, _) = try last.lock()
        #expect(try contents(of: last) == before)
        let store = try await PostgresAccountStore.open(address)
        #expect(store.identity == StoreIdentity(id: id, keyTag: World.key.tag(ofStore: id)))
        // New rows get higher numbers than copied ones.
        try await store.insert(named: "new")
        #expect(try await store.account(named: "new") != nil)
    }

    private func service(over store: any AccountStore) -> AccountService {
        AccountService(
            store: store, hasher: FakePasswordHasher(), mailer: MemoryMailer(), clock: VirtualClock(), random: .system,
            key: World.key)
    }

    private func create(_ name: String, with service: AccountService) async throws {
        let password = Secret("correct horse battery")
        let draft = AccountDraft(username: name, email: name + "@example.org", password: password)
        _ = try await service.create(draft, by: .owner)
    }

    /// Each copy has more records, and its end is sealed. Those that waited in a lane are sealed before, as by the command.
    @Test func `a trail goes there and back, also with records that waited in lanes`() async throws {
        let id = try RandomSource.system.bytes(16)
        let identity = StoreIdentity(id: id, keyTag: World.key.tag(ofStore: id))
        let first = try await PostgresAccountStore.open(address, creating: identity, connections: 1)
        var firstService = service(over: first)
        firstService.sealsAfterChanges = false
        for name in ["ada", "grace"] { try await create(name, with: firstService) }
        try await firstService.sealAudit()
        try copy(PostgresTables(at: address), SQLiteTables(at: path))
        let second = service(over: try await SQLiteAccountStore.open(path, create: false))
        try await create("alan", with: second)
        #expect(try await second.verifyAudit().finding == .intact)
        let back = try server.newDatabase()
        try copy(SQLiteTables(at: path), PostgresTables(at: back))
        var third = service(over: try await PostgresAccountStore.open(back, connections: 2))
        third.sealsAfterChanges = false
        for name in ["barbara", "edsger", "tony"] { try await create(name, with: third) }
        let verification = try await third.verifyAudit()
        #expect(verification.finding == .intact)
        #expect(try await third.auditEnd()?.sequence == 6)
        // The store that was left behind is still whole.
        #expect(try await firstService.verifyAudit().finding == .intact)
    }

    @Test func `an incomplete copy cannot be opened as a store`() async throws {
        try await makeSource()
        #expect(throws: AccountError.store(.busy)) {
            try copy(SQLiteTables(at: path), PostgresTables(at: address), batch: 1, until: 9)
        }
        await #expect(throws: AccountError.store(.incomplete)) {
            try await PostgresAccountStore.open(address, creating: .random())
        }
        let half = try PostgresTables(at: address)
        #expect(try StoredTable.all.map { try half.count(of: $0) }.reduce(0, +) == 9)
    }

    @Test(arguments: [false, true])
    func `an interrupted copy continues, or starts again if the source has changed`(changes: Bool) async throws {
        try await makeSource()
        for target in 0..<2 {
            func tables() throws -> any StoreTables {
                target == 0 ? try PostgresTables(at: address) : try SQLiteTables(at: folder.path(of: "new.sqlite"))
            }
            #expect(throws: AccountError.store(.busy)) {
                try copy(SQLiteTables(at: path), tables(), batch: 1, until: 9)
            }
            if changes {
                try SQLiteConnection(opening: path).execute("UPDATE store SET clock_seen = clock_seen + 1")
            }
            var steps: [Int] = []
            let source = try SQLiteTables(at: path)
            let locked = try source.lock()
            _ = try StoreTransfer(from: source, locked, to: tables(), key: World.key, batch: 1) {
                (done, _) throws(AccountError) in steps.append(done)
            }
            #expect(steps.first == (changes ? 0 : 9))
        }
    }

    @Test func `the source is locked for writers during a copy`() async throws {
        try await makeSource()
        let source = try SQLiteTables(at: path)
        let (_, state) = try source.lock()
        #expect(throws: SQLiteError.self) {
            let other = try SQLiteConnection(opening: path)
            try other.execute("BEGIN IMMEDIATE")
        }
        #expect(!state.isEmpty)
    }

    @Test func `a copy never overwrites a complete store`() async throws {
        try await makeSource()
        _ = try await PostgresAccountStore.open(address, creating: .random(), connections: 1)
        #expect(throws: AccountError.self) { try copy(SQLiteTables(at: path), PostgresTables(at: address)) }
        #expect(throws: AccountError.self) { try copy(SQLiteTables(at: path), SQLiteTables(at: path)) }
    }

    @Test func `the list of tables matches SQLite and PostgreSQL`() async throws {
        _ = try await SQLiteAccountStore.open(path, create: true)
        let database = try SQLiteConnection(opening: path)
        let inSQLite = try database.rows(
            """
            SELECT m.name || '.' || c.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c
                WHERE m.type = 'table' AND m.name NOT IN ('store', 'sqlite_stat1')
            """
        ) { (row) throws(SQLiteError) in try row.text(0) }
        _ = try await PostgresAccountStore.open(address, creating: .random(), connections: 1)
        let inPostgres = try server.run(
            "psql",
            [
                "-XqAt", "-c",
                """
                SELECT table_name || '.' || column_name FROM information_schema.columns JOIN information_schema.tables
                    USING (table_schema, table_name) WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
                    AND table_name NOT IN ('store', 'store_lock', 'writer', 'lane_sealed', 'audit_pending')
                """, address,
            ])
        let listed = Set(StoredTable.all.flatMap { table in table.columns.map { "\(table.name).\($0)" } })
        #expect(Set(inSQLite) == listed)
        #expect(Set(inPostgres.split(separator: "\n").map(String.init)) == listed)
    }

    /// A trail without its start, accounts of both kinds, and a row in every other table.
    private static let rows: StaticString = """
        UPDATE store SET flood_since = 1, flood_recorded = 2, flood_counted = 3, clock_seen = 4, clock_highest = 5,
            seal = randomblob(32);
        DROP TRIGGER audit_without_gaps;
        WITH RECURSIVE number (n) AS (VALUES (500) UNION ALL SELECT n + 1 FROM number WHERE n < 510)
            INSERT INTO audit (sequence, time, event, request_id, reason, hash, version)
                SELECT n, n, iif(n = 510, 'audit_rotate', 'user_deleted'), 'r', '', zeroblob(32), 3 FROM number;
        INSERT INTO outbox VALUES (3, 'm1', 'ada@example.org', 'Ada@example.org', 's', 'b', 1, 2, 0, 0, 'timed_out: ü', NULL),
            (4, 'm2', NULL, NULL, '', '', 1, NULL, 5, 6, NULL, NULL);
        INSERT INTO sealing_key VALUES (2, '0123456789abcdef', 1);
        INSERT INTO throttle_source VALUES (65535, 1, 2, 3, x'00010203');
        INSERT INTO throttle_identifier VALUES (9, 1, 2, 3, NULL, NULL, NULL, NULL);
        INSERT INTO operator_token VALUES (1, zeroblob(32), 'ci', 15, 1, NULL, 2, '0123abcd', randomblob(32),
            'admins staff');
        INSERT INTO user_group VALUES (6, randomblob(16), 'admins', 'Ünïcode 🦆', 1), (7, randomblob(16), 'staff', NULL, 2);
        INSERT INTO hash_kind VALUES (5, '$argon2id$v=19$m=65536,t=3,p=1', 100);
        INSERT INTO hash_kind_count VALUES (5, 0, 2), (5, 3, -1);
        INSERT INTO code_failures VALUES (1, 6, 7);
        INSERT INTO account (number, id, login_name, username_typed, email, email_typed, state, created_at, updated_at,
                email_verified_at, verify_by, must_change_password, password_generation, password_expires_at, hash_kind,
                password_hash, attributes)
            VALUES (7, randomblob(16), 'ada', 'Ada', 'ada@example.org', 'Ada@Example.org', 0, 1, 2, 3, NULL, 0, 4, NULL,
                5, '$c2FsdA$aGFzaA', '{"company":"Ünïcode 🦆"}'),
            (8, randomblob(16), 'bob@example.org', NULL, 'bob@example.org', NULL, 1, 1, NULL, NULL, 99, 1, 0, 5, NULL,
                NULL, NULL);
        INSERT INTO session VALUES (randomblob(32), 7, 0, 1, 2, 3, 'pts/1', 3, randomblob(32), randomblob(16)),
            (randomblob(32), 7, 1, 1, 2, NULL, '', 0, NULL, NULL);
        INSERT INTO sign_up VALUES (4, randomblob(16), 'n@example.org', 'N@example.org', 'nina', 'Nina',
            '{"company":"Ünïcode 🦆"}', x'01020304', 1, 2, 'staff');
        INSERT INTO group_member VALUES (6, 7), (7, 7), (7, 8);
        INSERT INTO reserved_name VALUES ('lovelace', randomblob(16), 9);
        INSERT INTO recovery_request VALUES
            (randomblob(32), 7, NULL, 1, 2, NULL, 'n@example.org', 'N@example.org', NULL),
            (randomblob(32), NULL, 5, 1, 2, 3, NULL, NULL, 4);
        INSERT INTO throttle VALUES (NULL, 4, 1, 2, 3, 4, 5, 6, 7), (7, NULL, 1, 2, 3, NULL, NULL, NULL, NULL);
        INSERT INTO device VALUES (randomblob(32), 7, 1, 0, randomblob(32));
        INSERT INTO authenticator VALUES (7, NULL, zeroblob(41), 1, 1, 5, NULL);
        INSERT INTO saved_code VALUES (randomblob(32), 7), (randomblob(32), 7);
        INSERT INTO throttle_code VALUES (7, 1, 2, 3, 4, 5, 6, 7);
        INSERT INTO throttle_code_network VALUES (65535, 1, 2, 3, NULL, NULL, NULL, NULL);
        INSERT INTO pending_login VALUES (randomblob(32), 7, x'01020304', 1, 2, 3, randomblob(32), NULL, NULL, NULL,
            randomblob(32));
        INSERT INTO app_password VALUES (randomblob(32), 7, 'Mail', 1, NULL);
        INSERT INTO passkey VALUES (3, x'0102', 7, 'Phone', x'0304', 4294967295, 1, 0, 'usb,nfc', 1, NULL, randomblob(32));
        INSERT INTO passkey_challenge VALUES (randomblob(32), NULL, x'', 5);
        INSERT INTO client VALUES (4, 'wiki', 'Wiki ü', '{"name":"Wiki"}', randomblob(32), NULL, 0, 3, 1, NULL, 9,
            randomblob(32));
        INSERT INTO signing_key VALUES (6, 'abcdefghijklmnopqrstuv', 'RS256', x'01', zeroblob(41), NULL, 1, 2, NULL,
            randomblob(32));
        INSERT INTO authorization_request VALUES (randomblob(32), randomblob(32), x'01020304', 4, '{}', 5);
        INSERT INTO consent VALUES (7, 4, 'openid email', 5);
        INSERT INTO access_grant VALUES (9, randomblob(16), 7, 4, randomblob(16), 'openid', 1, 3, 2, 90, randomblob(32));
        INSERT INTO grant_token VALUES (randomblob(16), 9, 0, '{}', 2, 60, 5, randomblob(16)),
            (randomblob(16), 9, 2, '', 2, 90, NULL, randomblob(16));
        INSERT INTO device_request VALUES (randomblob(32), randomblob(32), 4, 'openid', 1, 9, '192.0.2.7', 1, 2, 5, randomblob(32));
        CREATE TRIGGER audit_without_gaps BEFORE INSERT ON audit
            WHEN NEW.sequence IS NOT 1 + (SELECT coalesce(max(sequence), 0) FROM audit)
            BEGIN SELECT raise(ABORT, 'out of order'); END;
        """
}
