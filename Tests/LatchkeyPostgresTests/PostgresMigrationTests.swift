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
        for statement in OlderRows.schema13 { _ = try query("\(statement)") }
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
