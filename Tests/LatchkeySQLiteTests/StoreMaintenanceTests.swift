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
struct StoreMaintenanceTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "accounts.sqlite")
    }

    private func guarded() throws -> GuardedFolder { try GuardedFolder(at: folder.path) }

    private func backUp(as name: String) throws(BackupError) -> StoreBackup {
        let folder: GuardedFolder
        do { folder = try guarded() } catch { throw .alreadyThere }
        return try StoreBackup(of: path, as: name, in: folder)
    }

    private func service(
        over store: any AccountStore, mailer: MemoryMailer = MemoryMailer()
    ) throws -> AccountService {
        let key = try #require(StoreKey(Secret(String(repeating: "k", count: 32))))
        return AccountService(
            store: store, hasher: FakePasswordHasher(), mailer: mailer, clock: SettableClock(), random: .system,
            key: key)
    }

    private func restore(_ name: String, digest: [UInt8]? = nil, to other: String) async throws -> StoreRestoration {
        try await StoreRestoration.begin(
            from: GivenFile(at: folder.path(of: name)), digest: digest, to: folder.path(of: other))
    }

    private func schemaOne() throws -> [UInt8] {
        try SourceTree.contents(of: "Tests/Fixtures/stores/schema-1.sqlite")
    }

    // MARK: Backups

    /// S-112: each write counts twice, and no backup has one count without the other.
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
    @Test func `a backup describes its content`() async throws {
        let store = try await SQLiteAccountStore.open(path, create: true)
        let draft = AccountDraft(username: "ada", email: "ada@example.org", password: Secret("correct horse battery"))
        _ = try await service(over: store).create(draft, by: .owner)
        let backup = try backUp(as: "backup")
        let bytes = Array(try folder.read("backup"))
        #expect(backup.digest == SHA256Digest.of(bytes.span) && backup.size == bytes.count)
        #expect(backup.schema == Migration.newest)
        let head = try await store.read { (store) throws(AccountError) in try store.auditHead }
        #expect(backup.auditHead == head && head?.sequence == 1)
    }

    /// S-112.
    @Test func `a backup overwrites nothing`() async throws {
        _ = try await SQLiteAccountStore.open(path, create: true)
        try folder.write("precious".utf8, to: "backup")
        #expect(throws: BackupError.alreadyThere) { _ = try backUp(as: "backup") }
        #expect(try folder.read("backup") == Data("precious".utf8))
        #expect(throws: BackupError.alreadyThere) { _ = try backUp(as: "accounts.sqlite") }
    }

    /// S-112, S-111.
    @Test func `a damaged store yields no backup`() async throws {
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

    /// S-112: with each fault at each call there is no backup, or a complete one.
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

    private func backUpFailure(_ options: StoreFile.Options) -> (any Error)? {
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
    func `what ended after the backup stays ended`(keyIsNew: Bool) async throws {
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
    func `nothing is restored over a store or its parts`(suffix: String) async throws {
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

    // MARK: Migrations

    private func migrate(vfs: FaultVFS? = nil) throws(AccountError) -> StoreMigration {
        var options = StoreFile.Options()
        options.vfs = vfs?.name
        return try StoreMigration(of: path, options: options)
    }

    /// S-115.
    @Test func `a store of schema 1 is migrated, with a copy of the old one next to it`() async throws {
        let old = try schemaOne()
        try folder.write(old, to: "accounts.sqlite")
        let migration = try migrate()
        #expect(migration.from == 1 && migration.to == Migration.newest)
        #expect(migration.copy == folder.path(of: "accounts.sqlite.schema-1"))
        #expect(folder.mode(of: "accounts.sqlite.schema-1") == 0o600)
        let copy = try SQLiteConnection(opening: folder.path(of: "accounts.sqlite.schema-1"))
        #expect(try copy.schemaNumber == 1 && copy.damage() == [])
        let again = try migrate()
        #expect(again.from == nil && again.copy == nil)
        let store = try await SQLiteAccountStore.open(path)
        #expect(try await store.isIntact())
        let (accounts, trail) = try await store.read { (store) throws(AccountError) in
            (try store.accounts(after: nil, limit: 100), try AuditVerification(in: store))
        }
        #expect(!accounts.isEmpty)
        #expect(trail.finding == .intact && trail.head != nil)
        #expect(
            try await store.read { (store) throws(AccountError) in try store.clockMark.seen }
                > Timestamp(milliseconds: 0))
    }

    /// S-115: the first copy stays; it is the store as the old version left it.
    @Test func `an existing copy is kept`() async throws {
        try folder.write(try schemaOne(), to: "accounts.sqlite")
        try folder.write("precious".utf8, to: "accounts.sqlite.schema-1")
        #expect(try migrate().from == 1)
        #expect(try folder.read("accounts.sqlite.schema-1") == Data("precious".utf8))
    }

    /// S-115: whatever fails at whichever step, the migration is done or not, and can be repeated.
    @Test(arguments: FaultRow.all)
    func `an interrupted migration can be continued`(row: FaultRow) async throws {
        let old = try schemaOne()
        let newest = Migration.newest
        for call in 1... {
            for name in try folder.names { try FileManager.default.removeItem(atPath: folder.path(of: name)) }
            try folder.write(old, to: "accounts.sqlite")
            try folder.write([], to: "accounts.sqlite" + StoreReserve.suffix)
            let vfs = try FaultVFS()
            vfs.arm(row.fault, at: call)
            let failure: AccountError?
            do throws(AccountError) {
                _ = try migrate(vfs: vfs)
                failure = nil
            } catch {
                failure = error
            }
            let hasFailed = vfs.hasFailed
            let reached = try SQLiteConnection(opening: path).schemaNumber
            #expect(reached == (failure == nil ? newest : 1), "call \(call)")
            if try folder.names.contains("accounts.sqlite.schema-1") {
                let copy = try SQLiteConnection(opening: folder.path(of: "accounts.sqlite.schema-1"))
                #expect(try copy.schemaNumber == 1 && copy.damage() == [], "call \(call)")
            } else {
                #expect(failure != nil)
            }
            let store = try await SQLiteAccountStore.open(path)
            #expect(try await store.isIntact(), "call \(call)")
            #expect(try SQLiteConnection(opening: path).schemaNumber == newest)
            #expect(try folder.names.contains("accounts.sqlite.schema-1"))
            guard hasFailed else { break }
        }
    }

    // MARK: Reserve

    /// S-109.
    @Test func `only ending a session uses the reserve`() async throws {
        let vfs = try FaultVFS()
        var options = StoreFile.Options()
        options.vfs = vfs.name
        let store = try await SQLiteAccountStore.open(path, create: true, options: options)
        let service = try service(over: store)
        let password = Secret("correct horse battery")
        let ada = try await service.create(
            AccountDraft(username: "ada", email: "ada@example.org", password: password), by: .owner)
        let token = try await service.authenticate(identifier: "ada", password: password).token
        let reserve = "accounts.sqlite.reserve"
        #expect(try folder.read(reserve).count == 256 << 10)
        vfs.arm(.init(kinds: FAULT_WRITE, code: SQLITE_FULL, effect: FAULT_FULL), at: 1)
        await #expect(throws: AccountError.store(.full)) {
            _ = try await service.authenticate(identifier: "ada", password: password)
        }
        #expect(try folder.names.contains(reserve))
        // One write fails, and the released space is enough for the rest.
        vfs.arm(.init(kinds: FAULT_WRITE, code: SQLITE_FULL, effect: FAULT_ONCE), at: 1)
        #expect(try await service.endSession(token: token))
        #expect(try !folder.names.contains(reserve))
        vfs.arm(.init(kinds: FAULT_WRITE, code: SQLITE_FULL, effect: FAULT_ONCE), at: 1)
        await #expect(throws: AccountError.store(.full)) {
            try await service.delete(.id(ada.id), by: .owner)
        }
        vfs.disarm()
        await #expect(throws: AccountError.noSession) { _ = try await service.session(for: token) }
        _ = try await SQLiteAccountStore.open(path)
        #expect(try folder.names.contains(reserve), "created again when there is room")
    }

    // MARK: Reports

    /// S-116.
    @Test func `checking a store changes nothing`() async throws {
        _ = try await SQLiteAccountStore.open(path, create: true).insert(named: "ada")
        try FileManager.default.removeItem(atPath: folder.path(of: "accounts.sqlite.reserve"))
        let (names, bytes) = (try folder.names, try folder.read("accounts.sqlite"))
        let report = try StoreReport(of: path)
        #expect(report.failure == nil && report.damage == [] && report.schema == Migration.newest)
        #expect(!report.hasReserve && !report.hasHotJournal && report.availableBytes ?? 0 > 0)
        #expect(report.libraryVersion >= 3_040_001)
        #expect(try folder.names == names && folder.read("accounts.sqlite") == bytes)
        try folder.write(try schemaOne(), to: "accounts.sqlite")
        #expect(try StoreReport(of: path).schema == 1)
        #expect(try folder.names == names && Array(folder.read("accounts.sqlite")) == schemaOne())
    }

    /// S-116.
    @Test func `a check finds as many problems as it can`() async throws {
        _ = try await SQLiteAccountStore.open(path, create: true).insert(named: "ada")
        let whole = try folder.read("accounts.sqlite")
        var bytes = whole
        bytes[7 * 4096] ^= 0xFF
        try folder.write(bytes, to: "accounts.sqlite")
        #expect(try StoreReport(of: path).damage?.isEmpty == false)
        try folder.write(whole.prefix(511), to: "accounts.sqlite")
        #expect(try StoreReport(of: path).failure == .corrupt)
        try folder.write("hello".utf8, to: "accounts.sqlite")
        #expect(try StoreReport(of: path).failure == .notAStore)
        try folder.write(whole, to: "accounts.sqlite")
        try folder.setMode(0o644, of: "accounts.sqlite")
        #expect(try StoreReport(of: path).failure == .exposed(path: path))
        try folder.setMode(0o600, of: "accounts.sqlite")
        try folder.write([], to: "accounts.sqlite-wal")
        #expect(try StoreReport(of: path).failure == .stray(path: path + "-wal"))
        #expect(try folder.read("accounts.sqlite") == whole)
        #expect(throws: AccountError.store(.missing)) { _ = try StoreReport(of: folder.path(of: "nothing")) }
    }

    /// S-116, S-110: the next writer undoes the change of a killed process.
    @Test func `an interrupted change is reported and left alone`() async throws {
        let vfs = try FaultVFS()
        var options = StoreFile.Options()
        options.vfs = vfs.name
        do {
            let store = try await SQLiteAccountStore.open(path, create: true, options: options)
            try await store.insert(named: "ada")
            // The journal is complete by then and can no longer be deleted.
            vfs.arm(.init(kinds: FAULT_DELETE, code: SQLITE_IOERR | 10 << 8, effect: FAULT_GONE), at: 1)
            await #expect(throws: AccountError.self) { try await store.insert(named: "grace") }
            await store.close()
        }
        vfs.disarm()
        let bytes = try folder.read("accounts.sqlite")
        #expect(try folder.names.contains("accounts.sqlite-journal"))
        let report = try StoreReport(of: path)
        #expect(report.hasHotJournal && report.damage == nil)
        #expect(try folder.read("accounts.sqlite") == bytes)
        #expect(try folder.names.contains("accounts.sqlite-journal"))
        let store = try await SQLiteAccountStore.open(path)
        #expect(try await store.account(named: "grace") == nil)
        #expect(try !StoreReport(of: path).hasHotJournal)
    }
}
