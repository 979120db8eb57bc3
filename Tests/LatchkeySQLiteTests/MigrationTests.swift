import Foundation
import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeySQLite

/// S-115: stores of older versions, in `Tests/Fixtures/stores`.
struct MigrationTests {
    let folder: TemporaryFolder
    let path: String
    let clock = SettableClock(now: Timestamp(milliseconds: 1_900_000_000_000))

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

    @Test func `the columns of an account are read in the order of the table`() async throws {
        _ = try await SQLiteAccountStore.open(path, create: true)
        let columns = try rows("SELECT replace(name, '_', '') FROM pragma_table_xinfo('account') ORDER BY cid")
        #expect(columns == AccountColumn.allCases.map { "\($0)".lowercased() })
    }

    @Test func `a store of schema 1 keeps its rows, and its chain continues`() async throws {
        try folder.write(Fixture.contents(of: "stores/schema-1.sqlite"), to: "accounts.sqlite")
        let dump: StaticString =
            "SELECT id || username || email || coalesce(password_hash, '') FROM account ORDER BY id"
        let trail: StaticString = """
            SELECT sequence || event || coalesce(account_id, '') || coalesce(actor_uid, '') || reason || hex(hash)
                FROM audit WHERE sequence <= 22 ORDER BY sequence
            """
        let before = (try rows(dump), try rows(trail))
        #expect(before.0.count == 2 && before.1.count == 22)
        let service = try await service()
        #expect(try rows(dump) == before.0)
        #expect(try rows(trail) == before.1)
        #expect(
            try rows("SELECT CAST(user_version AS TEXT) FROM pragma_user_version") == [
                "\(StoreFile.Options().newestSchema)"
            ])
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

    @Test func `a store of schema 5 keeps its rows, and none of its passwords expires`() async throws {
        try folder.write(Fixture.contents(of: "stores/schema-5.sqlite"), to: "accounts.sqlite")
        let dump: StaticString = """
            SELECT id || username || must_change_password || coalesce(password_hash, '') || hash_milliseconds
                || coalesce(sealing_key, '') FROM account ORDER BY id
            """
        let before = try rows(dump)
        #expect(before.count == 3)
        let service = try await service()
        #expect(try rows(dump) == before)
        #expect(
            try rows("SELECT CAST(user_version AS TEXT) FROM pragma_user_version") == [
                "\(StoreFile.Options().newestSchema)"
            ])
        #expect(try await service.verifyAudit().finding == .intact)
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

    @Test func `a store of schema 6 keeps its failures, and no source has any`() async throws {
        try folder.write(Fixture.contents(of: "stores/schema-6.sqlite"), to: "accounts.sqlite")
        let dump: StaticString = "SELECT coalesce(account_id, nobody) || ' ' || failures FROM throttle ORDER BY 1"
        let before = try rows(dump)
        #expect(before.count == 2)
        let service = try await service()
        #expect(try rows(dump) == before)
        #expect(
            try rows("SELECT CAST(user_version AS TEXT) FROM pragma_user_version") == [
                "\(StoreFile.Options().newestSchema)"
            ])
        #expect(try await service.verifyAudit().finding == .intact)
        #expect(try rows("SELECT CAST(count(*) AS TEXT) FROM throttle_source") == ["0"])
    }

    @Test func `a store of schema 7 keeps its failures, and no identifier has any`() async throws {
        try folder.write(Fixture.contents(of: "stores/schema-7.sqlite"), to: "accounts.sqlite")
        let dump: StaticString =
            "SELECT coalesce(account_id, nobody) || ' ' || failures FROM throttle ORDER BY 1"
        let before = try rows(dump)
        #expect(before.count == 3)
        let service = try await service()
        #expect(try rows(dump) == before)
        #expect(
            try rows("SELECT CAST(user_version AS TEXT) FROM pragma_user_version") == [
                "\(StoreFile.Options().newestSchema)"
            ])
        #expect(try await service.verifyAudit().finding == .intact)
        #expect(try rows("SELECT CAST(count(*) AS TEXT) FROM throttle_identifier") == ["0"])
        #expect(try rows("SELECT CAST(count(extra_at) AS TEXT) FROM throttle") == ["0"])
        let status = try await service.throttle(of: try #require(AccountLookup("ada")))
        #expect(status.failures == 3)
    }

    /// S-115.
    @Test(arguments: [1, 5, 6, 7])
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
