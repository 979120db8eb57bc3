import CFaultVFS
import CSQLite
import Foundation
import LatchkeyAccounts
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

@testable import LatchkeySQLite

/// Backups, restorations, migrations and store checks.
@Suite(.timeLimit(.minutes(60)))
struct StoreMaintenanceTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "accounts.sqlite")
    }

    func guarded() throws -> GuardedFolder { try GuardedFolder(at: folder.path) }

    func backUp(as name: String) throws(BackupError) -> StoreBackup {
        let folder: GuardedFolder
        do { folder = try guarded() } catch { throw .alreadyThere }
        return try StoreBackup(of: path, as: name, in: folder)
    }

    func service(
        over store: any AccountStore, mailer: MemoryMailer = MemoryMailer()
    ) throws -> AccountService {
        let key = try #require(StoreKey(Secret(String(repeating: "k", count: 32))))
        return AccountService(
            store: store, hasher: FakePasswordHasher(), mailer: mailer, clock: VirtualClock(), random: .system,
            key: key)
    }

    func restore(_ name: String, digest: [UInt8]? = nil, to other: String) async throws -> StoreRestoration {
        try await StoreRestoration.begin(
            from: GivenFile(at: folder.path(of: name)), digest: digest, to: folder.path(of: other), key: nil)
    }

    // MARK: Backups

    /// S-112: each write counts twice, and each backup contains both counts or neither.
    @Test func `a backup of a store in use is a snapshot`() async throws {
        let store = try await SQLiteAccountStore.open(path, create: true)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    try await store.write { (store) throws(AccountError) in
                        for row in [UInt16(1), 2] {
                            let count = try store.failures(in: .unknownName(row: row))?.count ?? 0
                            let failures = ThrottleFailures(count: count + 1, lastAt: Timestamp(milliseconds: 1))
                            try store.setFailures(failures, in: .unknownName(row: row))
                        }
                    }
                }
            }
            for number in 0..<5 { group.addTask { _ = try backUp(as: "backup-\(number)") } }
            try await group.waitForAll()
        }
        for number in 0..<5 {
            let copy = try await SQLiteAccountStore.open(folder.path(of: "backup-\(number)"))
            #expect(try await copy.isIntact())
            let counts = try await copy.read { (store) throws(AccountError) in
                [
                    try store.failures(in: .unknownName(row: 1))?.count,
                    try store.failures(in: .unknownName(row: 2))?.count,
                ]
            }
            #expect(counts[0] == counts[1])
            #expect(folder.mode(of: "backup-\(number)") == 0o600)
        }
    }

    /// S-112.
    @Test func `a backup has a digest, a size, a schema and an audit head`() async throws {
        let store = try await SQLiteAccountStore.open(path, create: true)
        let draft = AccountDraft(username: "ada", email: "ada@example.org", password: Secret("correct horse battery"))
        _ = try await service(over: store).create(draft, by: .owner)
        let backup = try backUp(as: "backup")
        let bytes = Array(try folder.read("backup"))
        #expect(backup.digest == SHA256Digest.of(bytes.span) && backup.size == bytes.count)
        #expect(backup.schema == StoreFile.Options().newestSchema)
        let head = try await store.read { (store) throws(AccountError) in try store.auditHead }
        #expect(backup.auditHead == head && head?.sequence == 1)
    }

    /// S-112.
    @Test func `a backup does not overwrite a file`() async throws {
        _ = try await SQLiteAccountStore.open(path, create: true)
        try folder.write("precious".utf8, to: "backup")
        #expect(throws: BackupError.alreadyThere) { _ = try backUp(as: "backup") }
        #expect(try folder.read("backup") == Data("precious".utf8))
        #expect(throws: BackupError.alreadyThere) { _ = try backUp(as: "accounts.sqlite") }
    }

    /// S-112, S-111.
    @Test func `a damaged store is not backed up`() async throws {
        let store = try await SQLiteAccountStore.open(path, create: true)
        for number in 0..<50 { try await store.insert(named: "user-\(number)") }
        await store.close()
        var bytes = try folder.read("accounts.sqlite")
        bytes[8 * 4096] ^= 0xFF
        try folder.write(bytes, to: "accounts.sqlite")
        let names = try folder.names
        #expect(throws: BackupError.store(.store(.corrupt))) { _ = try backUp(as: "backup") }
        #expect(try folder.names == names)
        #expect(try folder.read("accounts.sqlite") == bytes)
    }

    /// S-112: after each fault at each call, there is either no backup or a complete one.
    @Test(arguments: FaultRow.all)
    func `a failed backup leaves nothing behind`(row: FaultRow) async throws {
        _ = try await SQLiteAccountStore.open(path, create: true).insert(named: "ada")
        let vfs = try FaultVFS()
        var options = StoreFile.Options()
        options.vfs = vfs.name
        let names = try folder.names
        let before = try folder.read("accounts.sqlite")
        for call in 1... {
            vfs.arm(row.fault, at: call)
            let failure = backUpFailure(options)
            if let failure {
                #expect(try folder.names == names, "call \(call): \(failure)")
            } else {
                #expect(try await SQLiteAccountStore.openReadOnly(folder.path(of: "backup")).isIntact())
                try FileManager.default.removeItem(atPath: folder.path(of: "backup"))
            }
            #expect(try folder.read("accounts.sqlite") == before)
            guard vfs.hasFailed else { break }
        }
    }

    func backUpFailure(_ options: StoreFile.Options) -> (any Error)? {
        do {
            _ = try StoreBackup(of: path, as: "backup", in: guarded(), options: options)
            return nil
        } catch {
            return error
        }
    }

    // MARK: Restorations

    /// S-113.
    @Test(arguments: [false, true])
    func `sessions and codes of a backup are revoked when it is restored`(keyIsNew: Bool) async throws {
        let store = try await SQLiteAccountStore.open(path, create: true)
        let mailer = MemoryMailer()
        let service = try service(over: store, mailer: mailer)
        let password = Secret("correct horse battery")
        _ = try await service.create(
            AccountDraft(username: "ada", email: "ada@example.org", password: password), by: .owner)
        let token = try await service.authenticate(identifier: "ada", password: password).token
        try await service.beginRecovery(email: "ada@example.org")
        let lines = mailer.delivered.flatMap { $0.body.split(separator: "\n") }
        let code = Secret(String(try #require(lines.first { RecoveryCode(typed: Secret(String($0))) != nil })))
        try await store.write { (store) throws(AccountError) in
            try store.setFailures(
                ThrottleFailures(count: 9, lastAt: Timestamp(milliseconds: 1)), in: .unknownName(row: 3))
        }
        let backup = try backUp(as: "backup")
        let bytes = try folder.read("backup")
        _ = try await service.endSession(token: token)

        let restoration = try await restore("backup", digest: backup.digest, to: "restored.sqlite")
        try await self.service(over: restoration.store).revokeAfterRestoring(
            keyIsNew: keyIsNew, by: .operatingSystemUser(5))
        #expect(try !folder.names.contains("restored.sqlite"), "no backup until everything is done")
        try await restoration.publish()
        #expect(try folder.names.filter { $0.contains("restored") } == ["restored.sqlite"])
        #expect(try folder.read("backup") == bytes)

        let restored = try await SQLiteAccountStore.open(folder.path(of: "restored.sqlite"))
        let again = try self.service(over: restored)
        await #expect(throws: AccountError.noSession) { _ = try await again.session(for: token) }
        await #expect(throws: AccountError.self) {
            try await again.finishRecovery(code: code, password: Secret("a wholly new password"))
        }
        _ = try await again.authenticate(identifier: "ada", password: password)
        let throttle = try await restored.read { (store) throws(AccountError) in
            try store.failures(in: .unknownName(row: 3))?.count
        }
        #expect(throttle == (keyIsNew ? nil : 9))
        let trail = try await restored.read { (store) throws(AccountError) in
            try AuditVerification(in: store)
        }
        #expect(trail.finding == .intact)
        let connection = try SQLiteConnection(opening: folder.path(of: "restored.sqlite"))
        let actors = try connection.rows("SELECT actor_uid FROM audit WHERE event = 'backup_restore'") {
            (row) throws(SQLiteError) in try row.integer(0)
        }
        #expect(actors == [5])
    }

    /// S-113.
    @Test(arguments: ["", "-wal", "-shm", "-journal"])
    func `a restore does not overwrite a store or its companion files`(suffix: String) async throws {
        _ = try await SQLiteAccountStore.open(path, create: true)
        _ = try backUp(as: "backup")
        try folder.write("precious".utf8, to: "restored.sqlite" + suffix)
        let names = try folder.names
        await #expect(throws: BackupError.alreadyThere) { _ = try await restore("backup", to: "restored.sqlite") }
        #expect(try folder.names == names)
        #expect(try folder.read("restored.sqlite" + suffix) == Data("precious".utf8))
    }

    /// S-113, S-111.
    @Test func `a damaged, truncated, forged or wrong backup is not restored`() async throws {
        let store = try await SQLiteAccountStore.open(path, create: true)
        let draft = AccountDraft(username: "ada", email: "ada@example.org", password: Secret("correct horse battery"))
        _ = try await service(over: store).create(draft, by: .owner)
        let backup = try backUp(as: "backup")
        let whole = try folder.read("backup")
        try folder.write(whole, to: "forged")
        do {
            let connection = try SQLiteConnection(opening: folder.path(of: "forged"))
            try connection.execute("DROP TRIGGER audit_unchanged; UPDATE audit SET reason = 'nothing'")
        }
        var flipped = whole
        flipped[5 * 4096] ^= 0xFF
        try folder.write(flipped, to: "flipped")
        for length in [0, 1, 511, whole.count / 2] { try folder.write(whole.prefix(length), to: "cut-\(length)") }
        try folder.write(Data(repeating: 0x20, count: 9000), to: "text")
        let names = try folder.names
        for name in ["forged", "flipped", "cut-0", "cut-1", "cut-511", "cut-\(whole.count / 2)"] {
            await #expect(throws: BackupError.store(.store(.corrupt)), "\(name)") {
                _ = try await restore(name, to: "restored.sqlite")
            }
        }
        await #expect(throws: BackupError.store(.store(.notAStore))) {
            _ = try await restore("text", to: "restored.sqlite")
        }
        await #expect(throws: BackupError.otherThanManifest) {
            _ = try await restore("forged", digest: backup.digest, to: "restored.sqlite")
        }
        #expect(try folder.names == names)
    }
}
