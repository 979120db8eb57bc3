import CFaultVFS
import CSQLite
import Foundation
import LatchkeyAccounts
import LatchkeySQL
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

@testable import LatchkeySQLite

extension StoreMaintenanceTests {
    private static let copyName = "accounts.sqlite.schema-\(NextVersion.oldSchema)"

    private func migrate(vfs: FaultVFS? = nil) throws(AccountError) -> StoreMigration {
        var options = OldStore.options()
        options.vfs = vfs?.name
        return try SQLiteAccountStore.migrate(path, options: options)
    }

    /// S-115.
    @Test func `a migration leaves a copy of the old store next to the new one`() async throws {
        _ = try await OldStore(in: folder)
        let old = try folder.read("accounts.sqlite")
        let migration = try migrate()
        #expect(migration.from == NextVersion.oldSchema && migration.to == NextVersion.schema)
        #expect(migration.copy == folder.path(of: Self.copyName))
        #expect(folder.mode(of: Self.copyName) == 0o600)
        let copy = try SQLiteConnection(opening: folder.path(of: Self.copyName))
        #expect(try copy.schemaNumber == NextVersion.oldSchema && copy.damage() == [])
        let again = try migrate()
        #expect(again.from == NextVersion.schema && again.names.isEmpty && again.copy == nil)
        // The copy can be used by the old version.
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: folder.path(of: Self.copyName), toPath: path)
        #expect(try folder.read("accounts.sqlite").count == old.count)
        let store = try await SQLiteAccountStore.open(path)
        #expect(try await store.isIntact())
        let (accounts, trail) = try await store.read { (store) throws(AccountError) in
            (try store.accounts(after: nil, limit: 100), try AuditVerification(in: store))
        }
        #expect(accounts.count == 2)
        #expect(trail.finding == .intact && trail.head != nil)
    }

    @Test func `an older store must be migrated before it is backed up`() async throws {
        _ = try await OldStore(in: folder)
        try Migration.$all.withValue(NextVersion.migrations) {
            #expect(throws: BackupError.store(.store(.older(schema: NextVersion.oldSchema)))) { try backUp(as: "copy") }
            #expect(try !folder.names.contains("copy"))
            _ = try migrate()
            #expect(try backUp(as: "copy").schema == NextVersion.schema)
        }
    }

    @Test func `restoring a backup of an older store migrates it`() async throws {
        _ = try await OldStore(in: folder)
        _ = try backUp(as: "copy")
        let names = try folder.names
        try await Migration.$all.withValue(NextVersion.migrations) {
            try await restore("copy", to: "restored.sqlite").publish()
        }
        #expect(try Set(folder.names) == Set(names + ["restored.sqlite"]))
        #expect(try SQLiteConnection(opening: folder.path(of: "restored.sqlite")).schemaNumber == NextVersion.schema)
        #expect(try SQLiteConnection(opening: folder.path(of: "copy")).schemaNumber == NextVersion.oldSchema)
    }

    /// S-115: the first copy stays, because it is the store as the old version left it.
    @Test func `a migration does not overwrite an existing copy`() async throws {
        _ = try await OldStore(in: folder)
        try folder.write("precious".utf8, to: Self.copyName)
        #expect(try migrate().from == NextVersion.oldSchema)
        #expect(try folder.read(Self.copyName) == Data("precious".utf8))
    }

    /// S-115: after a fault at any step, the migration is complete or undone, and can be repeated.
    @Test(arguments: FaultRow.all)
    func `an interrupted migration can be repeated`(row: FaultRow) async throws {
        _ = try await OldStore(in: folder)
        let old = try folder.read("accounts.sqlite")
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
            #expect(reached == (failure == nil ? NextVersion.schema : NextVersion.oldSchema), "call \(call)")
            if try folder.names.contains(Self.copyName) {
                let copy = try SQLiteConnection(opening: folder.path(of: Self.copyName))
                #expect(try copy.schemaNumber == NextVersion.oldSchema && copy.damage() == [], "call \(call)")
            } else {
                #expect(failure != nil)
            }
            _ = try migrate()
            let store = try await SQLiteAccountStore.open(path, create: false, options: OldStore.options())
            #expect(try await store.isIntact(), "call \(call)")
            #expect(try SQLiteConnection(opening: path).schemaNumber == NextVersion.schema)
            #expect(try folder.names.contains(Self.copyName))
            guard hasFailed else { break }
        }
    }

    // MARK: Reserve

    /// S-109.
    @Test func `only ending a session may use the reserved space`() async throws {
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
        // One write fails. The released space suffices for the others.
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
    @Test func `checking a store does not change it`() async throws {
        _ = try await SQLiteAccountStore.open(path, create: true).insert(named: "ada")
        try FileManager.default.removeItem(atPath: folder.path(of: "accounts.sqlite.reserve"))
        let (names, bytes) = (try folder.names, try folder.read("accounts.sqlite"))
        let report = try StoreReport(of: path)
        #expect(report.failure == nil && report.damage == [] && report.schema == StoreFile.Options().newestSchema)
        #expect(!report.hasReserve && !report.hasHotJournal && report.availableBytes ?? 0 > 0)
        #expect(report.libraryVersion >= 3_040_001)
        #expect(try folder.names == names && folder.read("accounts.sqlite") == bytes)
        let older = try StoreReport(of: path, options: OldStore.options())
        #expect(older.schema == NextVersion.oldSchema && older.newestSchema == NextVersion.schema)
        #expect(try folder.names == names && folder.read("accounts.sqlite") == bytes)
    }

    /// S-116.
    @Test func `a check reports each kind of problem`() async throws {
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

    /// S-116, S-110: the next writer rolls back the change of a killed process.
    @Test func `a check reports an interrupted change without rolling it back`() async throws {
        let vfs = try FaultVFS()
        var options = StoreFile.Options()
        options.vfs = vfs.name
        do {
            let store = try await SQLiteAccountStore.open(path, create: true, options: options)
            try await store.insert(named: "ada")
            // At this point the journal is complete, and it can no longer be deleted.
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
