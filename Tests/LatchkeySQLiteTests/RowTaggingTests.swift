import Foundation
import LatchkeyAccounts
import LatchkeySQL
import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeySQLite

/// S-115, S-181: the migration to schema 14, which needs the store's key.
@Suite(.timeLimit(.minutes(60))) struct RowTaggingTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "accounts.sqlite")
    }

    private func service(_ store: any AccountStore) -> AccountService {
        AccountService(
            store: store, hasher: FakePasswordHasher(), mailer: MemoryMailer(), clock: VirtualClock(), random: .system,
            key: World.key)
    }

    @Test func `tokens, devices and passkeys of an older store still work, and its operator tokens keep their ids`()
        async throws
    {
        let store = try await SQLiteAccountStore.open(path, create: true)
        let older = try await OlderRows(in: service(store))
        await store.close()
        let connection = try SQLiteConnection(opening: path)
        for (table, digest) in older.digests {
            try connection.run(OlderRows.sqlite(table), .bytes(World.key.lookupKey(of: digest)), .bytes(digest))
        }
        for statement in OlderRows.schema16.sqlite + OlderRows.schema13 { try connection.execute(statement) }
        try connection.execute("PRAGMA user_version = 13")
        await #expect(throws: AccountError.store(.older(schema: 13))) { try await SQLiteAccountStore.open(path) }
        var asked = 0
        let migration = try SQLiteAccountStore.migrate(path) { () throws(AccountError) in
            asked += 1
            return World.key
        }
        #expect(migration.from == 13 && migration.names.first == "faults" && asked == 1)
        let migrated = try await SQLiteAccountStore.open(path)
        try await older.check(service(migrated))
        await migrated.close()
        let again = try SQLiteAccountStore.migrate(path) { () throws(AccountError) in
            asked += 1
            return World.key
        }
        #expect(again.names.isEmpty && asked == 1, "a store that is not migrated needs no key")
    }
}
