import CFaultVFS
import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeySQLite

/// The disk operations of a request for a code.
@Suite(.timeLimit(.minutes(60)))
struct RecoveryWorkTests {
    /// The calls of each kind that SQLite makes for a request, each time on a copy of the same store.
    private func calls(_ email: String, in bytes: [UInt8]) async throws -> [Int] {
        var counts: [Int] = []
        for kind in [FAULT_WRITE, FAULT_SYNC, FAULT_DELETE, FAULT_TRUNCATE] {
            let folder = try TemporaryFolder()
            let path = try folder.write(bytes, to: "accounts.sqlite")
            try folder.write([], to: "accounts.sqlite" + StoreReserve.suffix)
            let vfs = try FaultVFS()
            var options = StoreFile.Options()
            options.vfs = vfs.name
            let store = try await SQLiteAccountStore.open(path, create: false, options: options)
            vfs.arm(.init(kinds: Int(kind), code: 0, effect: FAULT_ONCE), at: 0)
            try await service(over: store).beginRecovery(email: email)
            counts.append(vfs.count)
            await store.close()
        }
        return counts
    }

    private func service(over store: SQLiteAccountStore) throws -> AccountService {
        let key = try #require(StoreKey(Secret(String(repeating: "k", count: 32))))
        return AccountService(
            store: store, hasher: FakePasswordHasher(), mailer: MemoryMailer(), clock: VirtualClock(),
            random: .seeded(3), key: key)
    }

    /// S-145.
    @Test func `a request for an unknown address writes and flushes as often as one for an account`() async throws {
        let folder = try TemporaryFolder()
        let store = try await SQLiteAccountStore.open(folder.path(of: "accounts.sqlite"), create: true)
        let service = try service(over: store)
        for name in ["ada", "bo"] {
            let draft = AccountDraft(
                username: name, email: name + "@example.org", password: Secret("correct horse battery"))
            let account = try await service.create(draft, by: .owner)
            if name == "bo" { try await service.set(.disabled, of: .id(account.id), by: .owner) }
        }
        await store.close()
        let bytes = Array(try folder.read("accounts.sqlite"))
        let known = try await calls("ada@example.org", in: bytes)
        #expect(known.allSatisfy { $0 > 0 } || known[3] == 0)
        #expect(try await calls("eve@example.org", in: bytes) == known)
        #expect(try await calls("bo@example.org", in: bytes) == known)
    }
}
