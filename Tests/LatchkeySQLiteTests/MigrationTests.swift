import Foundation
import LatchkeyAccounts
import LatchkeySQL
import TestSupport
import Testing

@testable import LatchkeySQLite

/// S-115: for a version with another migration, which only tests have, a store of this version is an older one.
@Suite(.timeLimit(.minutes(60)))
struct MigrationTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "accounts.sqlite")
    }

    private static let next = OldStore.options()
    private static let copyName = "accounts.sqlite.schema-\(NextVersion.oldSchema)"
    /// The result of a migration without anything to do.
    private static let nothing = StoreMigration(
        from: NextVersion.schema, to: NextVersion.schema, names: [], copy: nil)

    @Test func `the numbers of the released migrations are consecutive`() {
        let numbers = Migration.released.map(\.number)
        #expect(numbers == numbers.indices.map { Migration.firstSchema + 1 + $0 })
        #expect(Migration.released.allSatisfy { !$0.sqlite.isEmpty && !$0.postgres.isEmpty })
    }

    @Test func `an account's columns are read in the order of the view`() async throws {
        _ = try await SQLiteAccountStore.open(path, create: true)
        let columns = try SQLiteConnection(opening: path).rows(
            "SELECT replace(name, '_', '') FROM pragma_table_xinfo('stored_account') ORDER BY cid"
        ) { (row) throws(SQLiteError) in try row.text(0) }
        #expect(columns == AccountColumn.allCases.map { "\($0)".lowercased() })
    }

    @Test func `a migrated store has the schema of a new one`() async throws {
        let schemaOfStore: StaticString = "SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name"
        let old = try await OldStore(in: folder)
        _ = try SQLiteAccountStore.migrate(path, options: Self.next)
        let migrated = try old.texts(schemaOfStore)
        try FileManager.default.removeItem(atPath: path)
        _ = try await SQLiteAccountStore.open(path, create: true, options: Self.next)
        #expect(try old.texts(schemaOfStore) == migrated)
        #expect(migrated.contains { $0.contains("note TEXT") })
    }

    @Test func `a migrated store keeps its rows and gets the new values`() async throws {
        let old = try await OldStore(in: folder)
        let before = try old.rows()
        #expect(before.count { !$0.isEmpty } > 6)
        let migration = try SQLiteAccountStore.migrate(path, options: Self.next)
        #expect(
            migration
                == StoreMigration(
                    from: NextVersion.oldSchema, to: NextVersion.schema, names: ["note"],
                    copy: folder.path(of: Self.copyName)))
        #expect(try old.rows(Self.next) == before)
        #expect(try old.texts("SELECT note FROM account ORDER BY 1") == ["ada", "grace"])
        #expect(try StoreReport(of: path, options: Self.next).damage == [])
        for _ in 0..<2 {
            _ = try await SQLiteAccountStore.open(path, create: false, options: Self.next)
        }
        await #expect(throws: AccountError.store(.newer(schema: NextVersion.schema))) {
            try await SQLiteAccountStore.open(path)
        }
    }

    @Test func `schema 14 keeps the wrong codes of an account`() async throws {
        let old = try StoreFile(at: path, options: OldStore.options([])).open(create: true)
        try old.execute(
            """
            INSERT INTO account (id, login_name, email, state, created_at, must_change_password, password_generation)
                VALUES (x'0000000000004000800000000000000a', 'ada', 'ada@example.org', 0, 5, 0, 0);
            INSERT INTO throttle_code (account, failures, last_at, total) VALUES (1, 7, 8000, 9);
            """)
        let migration = try SQLiteAccountStore.migrate(path) { () throws(AccountError) in World.key }
        #expect(migration.from == 13 && migration.names.first == "faults")
        let store = try await SQLiteAccountStore.open(path)
        let ada = try #require(AccountID("00000000-0000-4000-8000-00000000000a"))
        let failures = try await store.read { (store) throws(AccountError) in try store.failures(in: .codes(ada)) }
        #expect(failures == ThrottleFailures(count: 7, lastAt: Timestamp(milliseconds: 8000), total: 9))
    }

    @Test func `schema 15 keeps operator tokens and sign-ups, which have no groups`() async throws {
        let old = try StoreFile(at: path, options: OldStore.options(Array(Migration.released.prefix(1)))).open(
            create: true)
        let token = World.key.tagged(
            OperatorToken(
                digest: Array(repeating: 1, count: 32), name: "ci",
                scopes: [.readAccounts, .writeAccounts, .recoverAccounts, .signUp],
                createdAt: Timestamp(milliseconds: 5), expiresAt: nil, lastUsedAt: Timestamp(milliseconds: 6)))
        try old.run(
            """
            INSERT INTO operator_token (number, digest, name, scopes, created_at, last_used_at, id, tag)
                VALUES (7, ?1, 'ci', 15, 5, 6, ?2, ?3)
            """, .bytes(token.digest), .text(token.id), .bytes(token.tag))
        try old.execute(
            """
            INSERT INTO sign_up (number, id, email, email_typed, network, created_at, expires_at)
                VALUES (1, x'0000000000004000800000000000000b', 'b@example.org', 'b@example.org', x'', 5, 6)
            """)
        let migration = try SQLiteAccountStore.migrate(path, options: StoreFile.Options())
        #expect(migration.from == 14 && migration.names == ["applications", "administration", "lanes"])
        let store = try await SQLiteAccountStore.open(path)
        try await store.write { (store) throws(AccountError) in
            #expect(try store.operatorTokens == [token] && World.key.hasTagged(token))
            let address = EmailAddress(storedAs: "b@example.org", folded: "b@example.org")
            #expect(try store.signUps(for: address).map(\.groups) == [[]])
            try store.insert(
                OperatorToken(
                    digest: Array(repeating: 2, count: 32), name: "all",
                    scopes: Set(OperatorToken.Scope.allCases), groups: [.administrators],
                    createdAt: Timestamp(milliseconds: 5), expiresAt: nil))
        }
        #expect(try await store.isIntact())
    }

    @Test func `the trail of a migrated store continues`() async throws {
        let old = try await OldStore(in: folder)
        _ = try SQLiteAccountStore.migrate(path, options: Self.next)
        let store = try await SQLiteAccountStore.open(path, create: false, options: Self.next)
        let service = try old.service(over: store)
        let before = try await service.verifyAudit()
        #expect(before.finding == .intact)
        _ = try await service.create(
            AccountDraft(username: "bo", email: "bo@example.org", password: nil), by: .operatingSystemUser(7))
        let after = try await service.verifyAudit()
        #expect(after.finding == .intact && after.head?.sequence == before.head.map { $0.sequence + 1 })
    }

    @Test func `a new store accepts sessions with any known method and no others`() async throws {
        let store = try await SQLiteAccountStore.open(path, create: true)
        try await store.insert(named: "ada")
        let connection = try SQLiteConnection(opening: path)
        try connection.run(
            """
            INSERT INTO session (digest, account, scope, created_at, last_used_at, authenticated_at, source)
                SELECT ?1, number, 0, 5, 6, 5, 'x' FROM account
            """, .bytes(Array(repeating: 9, count: 32)))
        #expect(try connection.integer("SELECT methods FROM session") == 1)
        for methods in 0...15 as ClosedRange<Int64> {
            try connection.run("UPDATE session SET methods = ?1", .integer(methods))
        }
        for methods in [-1, 16] as [Int64] {
            #expect(throws: SQLiteError.self) {
                try connection.run("UPDATE session SET methods = ?1", .integer(methods))
            }
        }
    }

    @Test(arguments: [0, 1, 2]) func `a cancelled migration leaves the store unchanged`(step: Int) async throws {
        _ = try await OldStore(in: folder)
        let contents = try folder.read("accounts.sqlite")
        var last: [Int] = []
        #expect(throws: AccountError.store(.failed(resultCode: 9))) {
            try SQLiteAccountStore.migrate(path, options: Self.next) { (done, total) in
                last = [done, total]
                return done < step
            }
        }
        #expect(last == [step, 2])
        #expect(try folder.read("accounts.sqlite") == contents)
        #expect(try !folder.names.contains(Self.copyName), "the next attempt makes a new copy")
        #expect(try SQLiteAccountStore.migrate(path, options: Self.next).from == NextVersion.oldSchema)
    }

    @Test func `a migration can be cancelled in the middle of a statement`() async throws {
        _ = try await OldStore(in: folder)
        let contents = try folder.read("accounts.sqlite")
        var calls = 0
        #expect(throws: AccountError.store(.failed(resultCode: 9))) {
            try SQLiteAccountStore.migrate(path, options: OldStore.options(NextVersion.endless)) { (done, _) in
                calls += done
                return calls < 3
            }
        }
        #expect(try folder.read("accounts.sqlite") == contents)
    }

    @Test func `an older store is refused and unchanged until it is migrated`() async throws {
        _ = try await OldStore(in: folder)
        let contents = try folder.read("accounts.sqlite")
        let names = try folder.names
        for create in [false, true] {
            await #expect(throws: AccountError.store(.older(schema: NextVersion.oldSchema))) {
                _ = try await SQLiteAccountStore.open(path, create: create, options: Self.next)
            }
        }
        #expect(try folder.read("accounts.sqlite") == contents)
        #expect(try folder.names == names)
        _ = try SQLiteAccountStore.migrate(path, options: Self.next)
        _ = try await SQLiteAccountStore.open(path, create: false, options: Self.next)
    }

    @Test func `a migration that fails in the middle leaves the store unchanged`() async throws {
        let old = try await OldStore(in: folder)
        let contents = try folder.read("accounts.sqlite")
        #expect(throws: AccountError.store(.failed(resultCode: 1))) {
            try SQLiteAccountStore.migrate(path, options: OldStore.options(NextVersion.failing))
        }
        #expect(try folder.read("accounts.sqlite") == contents)
        #expect(try !folder.names.contains(Self.copyName))
        let service = try old.service(over: try await SQLiteAccountStore.open(path))
        #expect(try await service.verifyAudit().finding == .intact)
    }

    @Test(arguments: [1, Migration.firstSchema - 1, NextVersion.schema + 1, 99])
    func `a store whose schema has no migration to this version is not migrated`(schema: Int) async throws {
        _ = try await OldStore(in: folder)
        try SQLiteConnection(opening: path).setSchema(schema)
        let contents = try folder.read("accounts.sqlite")
        let error = schema < Migration.firstSchema ? StoreError.tooOld(schema: schema) : .newer(schema: schema)
        #expect(throws: AccountError.store(error)) { try SQLiteAccountStore.migrate(path, options: Self.next) }
        #expect(try folder.read("accounts.sqlite") == contents)
        #expect(try !folder.names.contains { $0.contains("schema") })
    }

    @Test func `of several concurrent migrations, exactly one runs`() async throws {
        let old = try await OldStore(in: folder)
        // The others wait for the running one.
        var patient = Self.next
        patient.busyTimeout = 600_000
        let migrations = try await withThrowingTaskGroup(of: StoreMigration.self) { group in
            for _ in 0..<4 {
                group.addTask { [path, patient] in try SQLiteAccountStore.migrate(path, options: patient) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(migrations.count { $0.names == ["note"] } == 1)
        #expect(migrations.count { $0 == Self.nothing } == 3)
        #expect(try old.texts("SELECT note FROM account ORDER BY 1") == ["ada", "grace"])
    }

    @Test func `a store of the first schema is migrated to this version`() async throws {
        try StoreFile(at: path, options: OldStore.options([])).open(create: true).execute(
            """
            INSERT INTO hash_kind VALUES (1, '$argon2id$v=19$m=65536,t=3,p=1', 100, 1);
            INSERT INTO account (id, login_name, email, state, created_at, must_change_password, password_generation,
                    hash_kind, password_hash)
                VALUES (x'0000000000004000800000000000000a', 'ada', 'ada@example.org', 0, 5, 0, 0, 1, '$c2FsdA$aGFzaA');
            """)
        await #expect(throws: AccountError.store(.older(schema: Migration.firstSchema))) {
            _ = try await SQLiteAccountStore.open(path)
        }
        let migration = try SQLiteAccountStore.migrate(path) { () throws(AccountError) in World.key }
        #expect(migration.names == Migration.released.map { "\($0.name)" })
        #expect(try StoreReport(of: path).damage == [])
        let store = try await SQLiteAccountStore.open(path)
        let isStored = try await store.read { (transaction) throws(AccountError) in
            #expect(try transaction.hashCosts == 100...100)
            return try transaction.account(.username(Username(storedAs: "ada", prepared: "ada"))) != nil
        }
        #expect(isStored)
    }
}
