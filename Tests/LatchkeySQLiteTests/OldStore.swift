import LatchkeyAccounts
import LatchkeySQL
import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeySQLite

/// A store of this version with accounts, sessions, codes, failures and a trail. It is an older store for a version
/// with another migration.
struct OldStore {
    let folder: TemporaryFolder
    var path: String { folder.path(of: "accounts.sqlite") }

    init(in folder: TemporaryFolder) async throws {
        self.folder = folder
        let store = try await SQLiteAccountStore.open(path, create: true)
        let service = try service(over: store)
        let password = Secret("correct horse battery")
        for name in ["ada", "grace"] {
            let draft = AccountDraft(username: name, email: "\(name)@example.org", password: password)
            _ = try await service.create(draft, by: .owner)
        }
        _ = try await service.authenticate(identifier: "ada", password: password)
        try await service.beginRecovery(email: "grace@example.org")
        await #expect(throws: AccountError.wrongCredentials) {
            _ = try await service.authenticate(identifier: "grace", password: Secret("wrong"))
        }
        await store.close()
    }

    func service(over store: any AccountStore) throws -> AccountService {
        AccountService(
            store: store, hasher: FakePasswordHasher(), mailer: MemoryMailer(), clock: VirtualClock(), random: .system,
            key: try #require(StoreKey(Secret(String(repeating: "k", count: 32)))))
    }

    /// The options of a version that has these migrations.
    static func options(_ migrations: [Migration] = NextVersion.migrations) -> StoreFile.Options {
        Migration.$all.withValue(migrations) { StoreFile.Options() }
    }

    /// The first column of each row.
    func texts(_ sql: StaticString) throws -> [String] {
        try SQLiteConnection(opening: path).rows(sql) { (row) throws(SQLiteError) in try row.text(0) }
    }

    /// All rows of the tables that `StoredTable` lists.
    func rows(_ options: StoreFile.Options = StoreFile.Options()) throws -> [[[StoredValue]]] {
        let tables = try SQLiteTables(at: path, options: options)
        _ = try tables.lock()
        return try (StoredTable.all + [.store]).map { try tables.rows(of: $0, from: 0, limit: 1000) }
    }
}
