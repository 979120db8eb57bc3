import LatchkeyAccounts
import LatchkeyPostgres
import LatchkeySQL
import LatchkeySecrets
import TestSupport
import Testing

/// S-115: for a version with another migration, which only tests have, a store of this version is an older one.
@Suite(.enabled(if: PostgresServer.isInstalled, PostgresServer.reason), .timeLimit(.minutes(60)))
struct PostgresMigrationTests {
    let server: PostgresServer
    let address: String

    /// The result of a migration without anything to do.
    private static let nothing = StoreMigration(
        from: NextVersion.schema, to: NextVersion.schema, names: [], copy: nil)

    init() throws {
        server = try PostgresServer.shared.get()
        address = try server.newDatabase()
    }

    private func makeStore() async throws {
        let store = try await PostgresAccountStore.open(address, creating: .random(), connections: 1)
        for name in ["ada", "grace"] { try await store.insert(named: name) }
    }

    /// All tables and rows. A new version of `pg_dump` writes a random word after `\restrict`.
    private func dump(_ address: String? = nil, _ flags: String...) throws -> [Substring] {
        try server.run("pg_dump", flags + [address ?? self.address]).split(separator: "\n").filter {
            !$0.hasPrefix("\\")
        }
    }

    private func query(_ sql: String) throws -> String {
        try server.run("psql", ["-XqAt", "-v", "ON_ERROR_STOP=1", "-c", sql, address])
    }

    /// Migrates as the next version, or as a version with other migrations.
    private func migrate(
        as migrations: [Migration] = NextVersion.migrations, mayContinue: (Int, Int) -> Bool = { _, _ in true }
    ) throws(AccountError) -> StoreMigration {
        try Migration.$all.withValue(migrations) {
            Result { () throws(AccountError) in
                try PostgresAccountStore.migrate(
                    address,
                    key: { (_) throws(AccountError) in
                        guard let key = StoreKey(Secret(String(repeating: "k", count: 32))) else {
                            throw .noRandomness
                        }
                        return key
                    }, mayContinue: mayContinue)
            }
        }.get()
    }

    @Test func `a migrated store has the schema of a new one`() async throws {
        try await makeStore()
        _ = try migrate()
        let other = try server.newDatabase()
        try await Migration.$all.withValue(NextVersion.migrations) {
            _ = try await PostgresAccountStore.open(other, creating: .random(), connections: 1)
        }
        let schema = try dump(address, "--schema-only")
        #expect(try dump(other, "--schema-only") == schema)
        #expect(schema.contains { $0.contains("note text") })
    }

    @Test func `a migrated store keeps its rows and gets the new values`() async throws {
        try await makeStore()
        let (count, id) = (try query("SELECT count(*) FROM account"), try query("SELECT id FROM store"))
        let expected = StoreMigration(
            from: NextVersion.oldSchema, to: NextVersion.schema, names: ["note"], copy: nil)
        #expect(try migrate() == expected)
        #expect(try query("SELECT note FROM account ORDER BY 1") == "ada\ngrace\n")
        #expect(try query("SELECT count(*) FROM account") == count && query("SELECT id FROM store") == id)
        #expect(try migrate() == Self.nothing)
        try await Migration.$all.withValue(NextVersion.migrations) {
            let store = try await PostgresAccountStore.open(address, connections: 1)
            #expect(try await store.account(named: "ada") != nil)
        }
        await #expect(throws: AccountError.store(.newer(schema: NextVersion.schema))) {
            try await PostgresAccountStore.open(address)
        }
    }

    /// S-181: the migration to schema 14, which needs the store's key.
    @Test func `tokens, devices and passkeys of an older store still work`() async throws {
        func service(_ store: any AccountStore) -> AccountService {
            AccountService(
                store: store, hasher: FakePasswordHasher(), mailer: MemoryMailer(), clock: VirtualClock(),
                random: .system, key: World.key)
        }
        let identity = try StoreIdentity.random()
        let older = try await OlderRows(
            in: service(try await PostgresAccountStore.open(address, creating: identity, connections: 1)))
        for (table, digest) in older.digests {
            let (new, old) = (World.key.lookupKey(of: digest), digest)
            _ = try query(
                "UPDATE \(table) SET digest = '\\x\(Hexadecimal.text(of: old))'"
                    + " WHERE digest = '\\x\(Hexadecimal.text(of: new))'")
        }
        for statement in OlderRows.schema16.postgres + OlderRows.schema13 { _ = try query("\(statement)") }
        _ = try query("UPDATE store SET schema = 13")
        let refusal = AccountError.store(.keyForeign(path: "key"))
        #expect(throws: refusal) {
            try PostgresAccountStore.migrate(
                address, key: { (_) throws(AccountError) in throw .store(.keyForeign(path: "key")) })
        }
        let migration = try PostgresAccountStore.migrate(
            address,
            key: { (found) throws(AccountError) in
                #expect(found == identity)
                return World.key
            })
        #expect(migration.from == 13 && migration.names.first == "faults")
        try await older.check(service(try await PostgresAccountStore.open(address, connections: 1)))
    }

    /// PostgreSQL reads each check from its catalogue with every statement.
    @Test func `the tables that every login writes have no checks`() async throws {
        _ = try await PostgresAccountStore.open(address, creating: .random(), connections: 1)
        let checked = Set(
            try query("SELECT conrelid::regclass FROM pg_constraint WHERE contype = 'c'").split(separator: "\n"))
        let written: Set<Substring> = [
            "session", "throttle", "throttle_identifier", "throttle_source", "writer", "audit_pending",
        ]
        #expect(checked.contains("account") && checked.isDisjoint(with: written))
    }

    /// Schema 14 changes the tables of the first schema.
    @Test func `a store of the first schema keeps the rows of every changed table`() async throws {
        try await Migration.$all.withValue([]) {
            _ = try await PostgresAccountStore.open(address, creating: .random(), connections: 1)
        }
        _ = try query(
            """
            INSERT INTO account (id, login_name, email, state, created_at, must_change_password, password_generation)
                VALUES (gen_random_uuid(), 'ada', 'ada@example.org', 0, 5, 0, 0);
            INSERT INTO throttle_code (account, failures, last_at, total) SELECT number, 7, 8000, 9 FROM account;
            INSERT INTO recovery_request (tag, account, unknown_name, created_at, expires_at, new_email, new_email_typed)
                SELECT decode(repeat('01', 32), 'hex'), number, NULL, 5, 6, 'a@b.example', 'A@b.example' FROM account;
            INSERT INTO recovery_request (tag, unknown_name, created_at, expires_at)
                VALUES (decode(repeat('02', 32), 'hex'), 7, 5, 6);
            INSERT INTO outbox (id, recipient, recipient_typed, subject, body, created_at, expires_at, attempts)
                VALUES ('m1', 'a@b.example', 'A@b.example', 'Code', 'Body', 5, 6, 1), ('m2', NULL, NULL, '', '', 5, NULL, 0);
            """)
        let changed = ["throttle_code", "recovery_request", "outbox"]
        let before = try changed.map { try query("SELECT to_jsonb(t) FROM \($0) t ORDER BY 1") }
        let columns = try changed.map {
            try query(
                """
                SELECT string_agg(attname, ', ' ORDER BY attnum) FROM pg_attribute
                    WHERE attrelid = '\($0)'::regclass AND attnum > 0
                """)
        }
        #expect(before.allSatisfy { !$0.isEmpty })
        await #expect(throws: AccountError.store(.older(schema: Migration.firstSchema))) {
            try await PostgresAccountStore.open(address, connections: 1)
        }

        let migration = try migrate(as: Migration.released)
        #expect(migration.from == Migration.firstSchema && migration.names == Migration.released.map { "\($0.name)" })
        for (index, table) in changed.enumerated() {
            let rows = try query("SELECT to_jsonb(t) FROM (SELECT \(columns[index]) FROM \(table)) t ORDER BY 1")
            #expect(rows == before[index], "\(table)")
        }
        #expect(
            try query(
                """
                SELECT count(*) FROM throttle_code
                    WHERE extra_at IS NULL AND flood_since IS NULL AND flood_recorded IS NULL AND flood_counted IS NULL;
                SELECT count(*) FROM recovery_request WHERE sign_up IS NULL;
                SELECT count(*) FROM outbox WHERE failure IS NULL;
                SELECT count(*) FROM (SELECT number FROM sign_up UNION ALL SELECT number FROM throttle_code_network) t;
                SELECT count(*) FROM reserved_name;
                """) == "1\n2\n2\n0\n0\n")
        let other = try server.newDatabase()
        _ = try await PostgresAccountStore.open(other, creating: .random(), connections: 1)
        #expect(try dump(address, "--schema-only") == dump(other, "--schema-only"))
        let store = try await PostgresAccountStore.open(address, connections: 1)
        let ada = try #require(try await store.account(named: "ada"))
        let failures = try await store.read { (store) throws(AccountError) in try store.failures(in: .codes(ada.id)) }
        #expect(failures == ThrottleFailures(count: 7, lastAt: Timestamp(milliseconds: 8000), total: 9))
    }

    @Test func `an older store is refused and unchanged until it is migrated`() async throws {
        try await makeStore()
        let before = try dump()
        await Migration.$all.withValue(NextVersion.migrations) {
            await #expect(throws: AccountError.store(.older(schema: NextVersion.oldSchema))) {
                try await PostgresAccountStore.open(address, creating: .random(), connections: 1)
            }
            #expect(throws: AccountError.store(.older(schema: NextVersion.oldSchema))) {
                try PostgresTables(at: address).lock()
            }
        }
        #expect(try dump() == before)
    }

    @Test func `a migration that fails in the middle leaves the store unchanged`() async throws {
        try await makeStore()
        let before = try dump()
        #expect(throws: AccountError.store(.refused(state: "42P01"))) { try migrate(as: NextVersion.failing) }
        #expect(try dump() == before)
    }

    @Test(arguments: [0, 1, 2]) func `a cancelled migration leaves the store unchanged`(step: Int) async throws {
        try await makeStore()
        let before = try dump()
        var last: [Int] = []
        #expect(throws: AccountError.store(.refused(state: "57014"))) {
            try migrate { (done, total) in
                last = [done, total]
                return done < step
            }
        }
        #expect(last == [step, 2])
        #expect(try dump() == before)
        #expect(try migrate().from == NextVersion.oldSchema)
    }

    @Test func `a migration can be cancelled in the middle of a statement`() async throws {
        try await makeStore()
        let before = try dump()
        var calls = 0
        #expect(throws: AccountError.store(.refused(state: "57014"))) {
            try migrate(as: NextVersion.endless) { (done, _) in
                calls += done
                return calls < 3
            }
        }
        #expect(try dump() == before)
    }

    @Test(arguments: [Migration.firstSchema - 1, NextVersion.schema + 1, 99])
    func `a store whose schema has no migration to this version is not migrated`(schema: Int) async throws {
        try await makeStore()
        _ = try query("ALTER TABLE store DROP CONSTRAINT store_schema_check; UPDATE store SET schema = \(schema)")
        let before = try dump()
        let error = schema < Migration.firstSchema ? StoreError.tooOld(schema: schema) : .newer(schema: schema)
        #expect(throws: AccountError.store(error)) { try migrate() }
        #expect(try dump() == before)
    }

    @Test func `a database without a store is not migrated`() throws {
        #expect(throws: AccountError.store(.missing)) { try migrate() }
    }

    @Test func `of several concurrent migrations, exactly one runs`() async throws {
        try await makeStore()
        // Nil for a migration that gave up waiting.
        let migrations = try await withThrowingTaskGroup(of: StoreMigration?.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    do throws(AccountError) { return try migrate() } catch .store(.busy) { return nil }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(migrations.count { $0?.names == ["note"] } == 1)
        #expect(migrations.compactMap { $0 }.allSatisfy { $0.names == ["note"] || $0 == Self.nothing })
        #expect(try query("SELECT note FROM account ORDER BY 1") == "ada\ngrace\n")
    }
}
