import Foundation
import LatchkeyAccounts
import LatchkeySQL
import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeySQLite

/// S-115: stores of older versions, in `Tests/Fixtures/stores`.
@Suite(.timeLimit(.minutes(60)))
struct MigrationTests {
    let folder: TemporaryFolder
    let path: String
    let clock = VirtualClock(now: Timestamp(milliseconds: 1_900_000_000_000))

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "accounts.sqlite")
    }

    /// A service over the migrated store.
    private func service() async throws -> AccountService {
        _ = try StoreMigration(of: path)
        return AccountService(
            store: try await SQLiteAccountStore.open(path), hasher: FakePasswordHasher(), mailer: MemoryMailer(),
            clock: clock, random: .system, key: try #require(StoreKey(Secret(String(repeating: "k", count: 32)))))
    }

    private func rows(_ sql: StaticString) throws -> [String] {
        try SQLiteConnection(opening: path).rows(sql) { (row) throws(SQLiteError) in try row.text(0) }
    }

    @Test func `the columns of an account are read in the order of the view`() async throws {
        _ = try await SQLiteAccountStore.open(path, create: true)
        let columns = try rows("SELECT replace(name, '_', '') FROM pragma_table_xinfo('stored_account') ORDER BY cid")
        #expect(columns == AccountColumn.allCases.map { "\($0)".lowercased() })
    }

    @Test(arguments: [1, 5, 6, 7, 8, 9, 10, 11, 12])
    func `a migrated store has the schema of a new one`(schema: Int) async throws {
        let schemaOfStore: StaticString = """
            SELECT entries.type || ' ' || entries.name || ' ' || coalesce(columns.name || columns.type
                    || columns."notnull" || coalesce(columns.dflt_value, '') || columns.pk,
                    replace(replace(sql, ' ', ''), char(10), ''), '')
                FROM sqlite_schema AS entries LEFT JOIN pragma_table_xinfo(entries.name) AS columns
                    ON entries.type = 'table' ORDER BY 1
            """
        _ = try await SQLiteAccountStore.open(path, create: true)
        let new = try rows(schemaOfStore)
        for name in try folder.names { try FileManager.default.removeItem(atPath: folder.path(of: name)) }
        try folder.write(Fixture.contents(of: "stores/schema-\(schema).sqlite"), to: "accounts.sqlite")
        _ = try StoreMigration(of: path)
        let migrated = try rows(schemaOfStore)
        #expect(migrated == new)
    }

    /// The accounts of a store of any schema before 9.
    private static let oldAccounts: StaticString = """
        SELECT replace(id, '-', '') || '|' || username || '|' || username_typed || '|' || email || '|' || email_typed
            || '|' || state || '|' || created_at || '|' || updated_at || '|' || must_change_password || '|'
            || coalesce(password_hash, '-') || '|'
            || (SELECT coalesce(group_concat(key || '=' || value), '')
                FROM (SELECT * FROM attribute WHERE account_id = id ORDER BY key))
        FROM account ORDER BY id
        """
    /// The same rows in the newest schema.
    private static let accounts: StaticString = """
        SELECT lower(hex(id)) || '|' || login_name || '|' || coalesce(username_typed, login_name) || '|' || email || '|'
            || coalesce(email_typed, email) || '|' || iif(state, 'disabled', 'active') || '|' || created_at || '|'
            || coalesce(updated_at, created_at) || '|' || must_change_password || '|'
            || coalesce(coalesce(prefix, '') || password_hash, '-') || '|'
            || (SELECT coalesce(group_concat(key || '=' || value), '')
                FROM (SELECT key, value FROM json_each(attributes) ORDER BY key))
        FROM stored_account ORDER BY id
        """
    private static let oldThrottles: StaticString =
        "SELECT replace(coalesce(account_id, nobody), '-', '') || ' ' || failures FROM throttle ORDER BY 1"
    private static let throttles: StaticString = """
        SELECT iif(id IS NULL, unknown_name, lower(hex(id))) || ' ' || failures
            FROM throttle LEFT JOIN account ON number = account ORDER BY 1
        """

    /// S-115.
    @Test(arguments: [
        (1, 2, 2), (5, 3, 1), (6, 2, 2), (7, 1, 3), (8, 4, 2), (9, 4, 2), (10, 4, 2), (11, 2, 1), (12, 2, 2),
    ])
    func `a store of an older schema keeps its accounts, failures and audit trail`(
        schema: Int, accountCount: Int, throttleCount: Int
    ) async throws {
        try folder.write(Fixture.contents(of: "stores/schema-\(schema).sqlite"), to: "accounts.sqlite")
        let trail: StaticString = """
            SELECT sequence || event || coalesce(account_id, '') || coalesce(actor_uid, '') || reason || hex(hash)
                FROM audit ORDER BY sequence
            """
        let (accounts, throttles) =
            schema < 9 ? (Self.oldAccounts, Self.oldThrottles) : (Self.accounts, Self.throttles)
        let before = (try rows(accounts), try rows(throttles), try rows(trail))
        #expect(before.0.count == accountCount && before.1.count == throttleCount && !before.2.isEmpty)
        let service = try await service()
        #expect(try rows(Self.accounts) == before.0)
        #expect(try rows(Self.throttles) == before.1)
        #expect(try rows(trail) == before.2)
        #expect(
            try rows("SELECT CAST(user_version AS TEXT) FROM pragma_user_version") == [
                "\(StoreFile.Options().newestSchema)"
            ])
        #expect(try await service.verifyAudit().finding == .intact)
        #expect(try await service.accounts(after: nil, limit: 10).count == accountCount)
        #expect(try StoreReport(of: path).damage == [])
    }

    @Test func `a session of an older schema counts as one of a password, unless an operator created it`() async throws
    {
        try folder.write(Fixture.contents(of: "stores/schema-10.sqlite"), to: "accounts.sqlite")
        _ = try StoreMigration(of: path)
        #expect(
            try rows("SELECT iif(source = 'operator', '-', 'login') || methods FROM session ORDER BY 1") == [
                "-0", "login1",
            ])
    }

    @Test func `a store of schema 12 keeps its second factors, and has no app passwords`() async throws {
        try folder.write(Fixture.contents(of: "stores/schema-12.sqlite"), to: "accounts.sqlite")
        let service = try await service()
        let ada = try #require(AccountLookup("ada"))
        let factors = try await service.factors(of: ada)
        #expect(factors.authenticator?.isConfirmed == true && factors.savedCodes == 1)
        #expect(try await service.appPasswords(of: ada).isEmpty)
    }

    @Test func `a session of schema 12 keeps its methods, and a newer one may have a passkey`() async throws {
        try folder.write(Fixture.contents(of: "stores/schema-12.sqlite"), to: "accounts.sqlite")
        for methods in 0...7 {
            try SQLiteConnection(opening: path).run(
                """
                INSERT INTO session (digest, account, scope, created_at, last_used_at, authenticated_at, source, methods)
                    SELECT ?1, number, 0, 5, 6, 5, 'x', ?2 FROM account WHERE login_name = 'ada'
                """, .bytes([UInt8(methods)] + Array(repeating: 9, count: 31)), .integer(Int64(methods)))
        }
        _ = try StoreMigration(of: path)
        let methods: StaticString = "SELECT CAST(methods AS TEXT) FROM session WHERE source = 'x' ORDER BY digest"
        #expect(try rows(methods) == (0...7).map { "\($0)" })
        try expectMethods(in: path)
    }

    @Test func `a new store accepts sessions with every method, and no others`() async throws {
        let store = try await SQLiteAccountStore.open(path, create: true)
        try await store.insert(named: "ada")
        try SQLiteConnection(opening: path).run(
            """
            INSERT INTO session (digest, account, scope, created_at, last_used_at, authenticated_at, source)
                SELECT ?1, number, 0, 5, 6, 5, 'x' FROM account
            """, .bytes(Array(repeating: 9, count: 32)))
        #expect(try rows("SELECT CAST(methods AS TEXT) FROM session") == ["1"])
        try expectMethods(in: path)
    }

    private func expectMethods(in path: String) throws {
        let connection = try SQLiteConnection(opening: path)
        for methods in 0...15 as ClosedRange<Int64> {
            try connection.run("UPDATE session SET methods = ?1", .integer(methods))
        }
        for methods in [-1, 16] as [Int64] {
            #expect(throws: SQLiteError.self) {
                try connection.run("UPDATE session SET methods = ?1", .integer(methods))
            }
        }
    }

    @Test func `the trail of a migrated store of schema 1 continues`() async throws {
        try folder.write(Fixture.contents(of: "stores/schema-1.sqlite"), to: "accounts.sqlite")
        let service = try await service()
        var verification = try await service.verifyAudit()
        #expect(verification.finding == .intact && verification.head?.sequence == 22)

        let ada = try await service.account(try #require(AccountLookup("ada")))
        _ = try await service.create(
            AccountDraft(username: "bo", email: "bo@example.org", password: nil), by: .operatingSystemUser(7))
        await #expect(throws: AccountError.wrongCredentials) {
            _ = try await service.authenticate(identifier: "grace", password: Secret("wrong"))
        }
        _ = try await service.maintain(by: .owner)
        verification = try await service.verifyAudit()
        // Ada's old session has expired, and the old records are a segment of their own.
        #expect(verification.finding == .intact && verification.head?.sequence == 26)
        let page = try await service.auditPage(after: 0)
        #expect(page.rows.compactMap(\.record).map { $0.context == nil } == (1...26).map { $0 <= 22 })
        #expect(page.rows.last?.record?.event == .auditRotated)
        #expect(try await service.auditPage(after: 0, matching: AuditFilter(account: ada.id)).rows.count == 10)
    }

    @Test func `no password of a store of schema 5 expires`() async throws {
        try folder.write(Fixture.contents(of: "stores/schema-5.sqlite"), to: "accounts.sqlite")
        let service = try await service()
        let grace = try await service.account(try #require(AccountLookup("grace")))
        #expect(grace.passwordExpiresAt == nil && grace.mustChangePassword)
        let end = clock.now().advanced(by: .seconds(86400))
        let store = try await SQLiteAccountStore.open(path)
        try await store.write { (transaction) throws(AccountError) in
            var account = grace
            account.passwordExpiresAt = end
            try transaction.update(account)
        }
        #expect(try await service.account(.id(grace.id)).passwordExpiresAt == end)
    }

    @Test func `the failures of a store of schema 7 still delay logins, and no identifier has any`() async throws {
        try folder.write(Fixture.contents(of: "stores/schema-7.sqlite"), to: "accounts.sqlite")
        let service = try await service()
        #expect(try rows("SELECT CAST(count(*) AS TEXT) FROM throttle_identifier") == ["0"])
        #expect(try rows("SELECT CAST(count(extra_at) AS TEXT) FROM throttle") == ["0"])
        let status = try await service.throttle(of: try #require(AccountLookup("ada")))
        #expect(status.failures == 3)
    }

    @Test func `sessions and codes of a store of schema 8 keep their accounts, and hashes are counted`() async throws {
        try folder.write(Fixture.contents(of: "stores/schema-8.sqlite"), to: "accounts.sqlite")
        _ = try await service()
        #expect(
            try rows(
                """
                SELECT login_name || ' ' || scope || ' ' || (authenticated_at IS session.created_at)
                    FROM session JOIN account ON number = account ORDER BY 1
                """) == ["bo 0 0", "dee 0 1"])
        #expect(
            try rows(
                """
                SELECT coalesce(login_name, '-') || (unknown_name IS NULL)
                    FROM recovery_request LEFT JOIN account ON number = account ORDER BY 1
                """) == ["-0", "bo1"])
        #expect(
            try rows("SELECT substr(prefix, 1, 14) || ' ' || accounts FROM hash_kind ORDER BY prefix") == [
                "$2b$ 1", "$argon2id$v=19 1", "$sealed$v=1,k= 1",
            ])
    }

    @Test func `a migration that is stopped leaves the store as it was`() throws {
        let contents = try Fixture.contents(of: "stores/schema-8.sqlite")
        try folder.write(contents, to: "accounts.sqlite")
        var seen: [Int] = []
        #expect(throws: AccountError.store(.failed(resultCode: 9))) {
            try StoreMigration(of: path) { (done, total) in
                seen = [done, total]
                return false
            }
        }
        #expect(seen == [4, 4])
        #expect(try folder.read("accounts.sqlite") == contents)
        #expect(try !folder.names.contains("accounts.sqlite.schema-8"), "the next attempt makes a copy of its own")
    }

    /// S-115.
    @Test(arguments: [1, 5, 6, 7, 8])
    func `a store of an older schema is refused and left untouched until it is migrated`(schema: Int) async throws {
        let contents = try Fixture.contents(of: "stores/schema-\(schema).sqlite")
        try folder.write(contents, to: "accounts.sqlite")
        for create in [false, true] {
            await #expect(throws: AccountError.store(.older(schema: schema))) {
                _ = try await SQLiteAccountStore.open(path, create: create)
            }
        }
        #expect(try folder.read("accounts.sqlite") == contents)
        #expect(try folder.names == ["accounts.sqlite"])
        _ = try StoreMigration(of: path)
        _ = try await SQLiteAccountStore.open(path)
    }

    @Test func `a migration that fails in the middle leaves the store as it was`() async throws {
        let contents = try Fixture.contents(of: "stores/schema-1.sqlite")
        try folder.write(contents, to: "accounts.sqlite")
        var options = StoreFile.Options()
        options.migrations.append(Migration(number: 99, sql: "DROP TABLE nothing; PRAGMA user_version = 99;"))
        let failing = options
        #expect(throws: AccountError.self) { try StoreMigration(of: path, options: failing) }
        #expect(try folder.read("accounts.sqlite") == contents)
        #expect(try await service().verifyAudit().finding == .intact)
    }
}
