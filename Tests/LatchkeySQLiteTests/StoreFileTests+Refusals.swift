import Foundation
import LatchkeyAccounts
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

@testable import LatchkeySQLite

extension StoreFileTests {
    /// S-91.
    @Test func `a folder or pipe with the name of a store is not opened`() async throws {
        try folder.makeFolder("accounts.sqlite")
        try await expectRefused(.exposed(path: path))
        try FileManager.default.removeItem(atPath: path)
        try folder.makePipe("accounts.sqlite")
        try await expectRefused(.exposed(path: path))
    }

    @Test func `a text file is not a store`() async throws {
        for text in ["hello", "SQLite format 4\0", String(repeating: "a long text\n", count: 1000), "\0\0\0x"] {
            try folder.write(text.utf8, to: "accounts.sqlite")
            try await expectRefused(.notAStore)
        }
    }

    @Test func `another program's database is not a store`() async throws {
        try folder.write([], to: "accounts.sqlite")
        let connection = try SQLiteConnection(opening: path)
        try connection.execute("CREATE TABLE account (id TEXT); PRAGMA user_version = 1")
        try await expectRefused(.notAStore)
    }

    @Test func `a newer version's store is refused and unchanged`() async throws {
        _ = try await makeStore()
        do {
            let connection = try SQLiteConnection(opening: path)
            try connection.execute("PRAGMA user_version = 99; PRAGMA journal_mode = WAL")
        }
        try await expectRefused(.newer(schema: 99))
    }

    @Test(arguments: [1, 12]) func `a store from before the first release is refused`(schema: Int) async throws {
        _ = try await makeStore()
        do {
            let connection = try SQLiteConnection(opening: path)
            try connection.setSchema(schema)
            try connection.execute("PRAGMA journal_mode = WAL")
        }
        try await expectRefused(.tooOld(schema: schema))
        #expect(throws: AccountError.store(.tooOld(schema: schema))) { try StoreReport(of: path) }
    }

    /// S-111.
    @Test(arguments: [0, 1, 15, 16, 80, 99, 100, 511, 512, 4096, 20480])
    func `a truncated store is damaged`(length: Int) async throws {
        let whole = try await makeStore()
        #expect(whole.count > length)
        try folder.write(whole.prefix(length), to: "accounts.sqlite")
        try await expectRefused(.corrupt)
    }

    @Test func `a store with an overwritten schema is damaged`() async throws {
        var bytes = try await makeStore()
        bytes.replaceSubrange(100..<4096, with: Data(repeating: 0xAA, count: 3996))
        try folder.write(bytes, to: "accounts.sqlite")
        try await expectRefused(.corrupt)
    }

    @Test func `damage in later pages is found by the integrity check`() async throws {
        var bytes = try await makeStore()
        for page in 2..<(bytes.count / 4096) {
            bytes.replaceSubrange(page * 4096..<page * 4096 + 64, with: Data(repeating: 0xAA, count: 64))
        }
        try folder.write(bytes, to: "accounts.sqlite")
        do throws(AccountError) {
            let store = try await SQLiteAccountStore.open(path)
            #expect(try await store.isIntact() == false)
            await #expect(throws: AccountError.store(.corrupt)) { _ = try await store.account(named: "ada") }
        } catch {
            #expect(error == .store(.corrupt))
        }
        #expect(try folder.read("accounts.sqlite") == bytes)
    }

    /// S-111: the header of each page in turn, and the header of the file.
    @Test func `a flipped byte in a page's header is detected, and the file is unchanged`() async throws {
        let whole = try await makeStore()
        let offsets =
            [0, 16, 17, 47, 59, 68] + (0..<(whole.count / 4096)).map { $0 == 0 ? 100 : $0 * 4096 }
        for offset in offsets {
            var bytes = whole
            bytes[offset] ^= 0xFF
            try folder.write(bytes, to: "accounts.sqlite")
            do throws(AccountError) {
                let store = try await SQLiteAccountStore.open(path)
                #expect(try await store.isIntact() == false, "\(offset)")
            } catch {
                // SQLite has no specific error for an unknown format.
                #expect(
                    [.store(.corrupt), .store(.notAStore), .store(.failed(resultCode: 1))].contains(error),
                    "\(offset): \(error)")
            }
            #expect(try folder.read("accounts.sqlite") == bytes, "\(offset)")
        }
    }

    /// S-111: after any flip the store is damaged or readable. It is never taken for another program's, and never
    /// changed.
    @Test func `a flipped byte anywhere causes at most a read error`() async throws {
        let whole = try await makeStore()
        var generator = SeededGenerator(seed: 13)
        for _ in 0..<200 {
            var bytes = whole
            bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^= UInt8(
                1 << Int.random(in: 0..<8, using: &generator))
            try folder.write(bytes, to: "accounts.sqlite")
            do throws(AccountError) {
                let store = try await SQLiteAccountStore.openReadOnly(path)
                _ = try await store.isIntact()
                _ = try await store.account(named: "ada")
            } catch {
                guard case .store(let failure) = error else {
                    Issue.record(error)
                    continue
                }
                #expect(failure != .missing && failure != .busy, "\(failure)")
            }
            #expect(try folder.read("accounts.sqlite") == bytes)
        }
    }

    /// S-111.
    @Test(arguments: ["-wal", "-shm"])
    func `a store next to another database's log file is not opened`(suffix: String) async throws {
        _ = try await makeStore()
        try folder.write("a log".utf8, to: "accounts.sqlite" + suffix)
        try await expectRefused(.stray(path: path + suffix))
    }

    // MARK: Exposed files

    /// S-91.
    @Test func `a store that other users can access is not opened`() async throws {
        _ = try await makeStore()
        for mode in [mode_t(0o640), 0o604, 0o660, 0o666] {
            try folder.setMode(mode, of: "accounts.sqlite")
            try await expectRefused(.exposed(path: path))
        }
        try folder.setMode(0o600, of: "accounts.sqlite")
        try FileManager.default.linkItem(atPath: path, toPath: folder.path(of: "other"))
        try await expectRefused(.exposed(path: path))
        try FileManager.default.removeItem(atPath: path)
        try folder.link("accounts.sqlite", to: "other")
        try await expectRefused(.exposed(path: path))
        try FileManager.default.removeItem(atPath: path)
        try folder.link("accounts.sqlite", to: "nowhere")
        try await expectRefused(.exposed(path: path))
    }

    @Test func `a store in a folder that other users can write to is not opened`() async throws {
        try folder.makeFolder("shared", mode: 0o777)
        #expect(
            await open(create: true, folder.path(of: "shared/accounts.sqlite"))
                == .openFolder(path: folder.path(of: "shared")))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "shared")) == [])
    }

    /// S-91: in a sticky folder, other users can create a journal that SQLite would roll back into the store.
    @Test func `a store in a sticky folder is not opened, and a journal next to it is not deleted`() async throws {
        _ = try await makeStore()
        try folder.setMode(0o1777, of: ".")
        try folder.write("a journal".utf8, to: "accounts.sqlite-journal")
        try await expectRefused(.openFolder(path: folder.path))
    }

    /// S-91.
    @Test func `a store next to a journal that other users can access is not opened`() async throws {
        _ = try await makeStore()
        let journal = "accounts.sqlite-journal"
        try folder.write("a journal".utf8, to: journal)
        for mode in [mode_t(0o640), 0o604, 0o620, 0o602] {
            try folder.setMode(mode, of: journal)
            try await expectRefused(.exposed(path: folder.path(of: journal)))
        }
        let others: [() throws -> Void] = [
            { try folder.link(journal, to: "accounts.sqlite") }, { _ = try folder.makePipe(journal) },
            { try folder.makeFolder(journal) },
        ]
        for make in others {
            try FileManager.default.removeItem(atPath: folder.path(of: journal))
            try make()
            try await expectRefused(.exposed(path: folder.path(of: journal)))
        }
    }

    /// S-91.
    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func `a store next to a journal of another user is not opened`() async throws {
        _ = try await makeStore()
        try folder.write([], to: "accounts.sqlite-journal")
        try folder.setOwner(4711, of: "accounts.sqlite-journal")
        try await expectRefused(.otherOwner(path: path + "-journal", owner: 4711))
    }

    /// S-93: SQLite deletes the file that a journal names as its super-journal.
    @Test func `a store next to a journal that names another file is not opened`() async throws {
        _ = try await makeStore()
        let victim = try folder.write("precious".utf8, to: "victim")
        var name = Array(victim.utf8)
        let sum = name.reduce(UInt32(0)) { $0 &+ UInt32($1) }
        for number in [UInt32(name.count), sum] {
            name += (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
        }
        try folder.write([0, 0, 0, 1] + name + CompanionFiles.superJournalMark, to: "accounts.sqlite-journal")
        try await expectRefused(.superJournal(path: path + "-journal"))
        #expect(try folder.read("victim") == Data("precious".utf8))
    }

    @Test func `a store is opened through a link to its folder`() async throws {
        _ = try await makeStore()
        try folder.link("here", to: ".")
        #expect(await open(folder.path(of: "here/accounts.sqlite")) == nil)
    }

    /// S-110.
    @Test(.enabled(if: geteuid() != 0, "root writes whatever the mode says"))
    func `a read-only store can be read`() async throws {
        _ = try await makeStore()
        try folder.setMode(0o400, of: "accounts.sqlite")
        try folder.setMode(0o500, of: ".")
        let store = try await SQLiteAccountStore.open(path)
        #expect(try await store.account(named: "ada") != nil)
        await #expect(throws: AccountError.store(.readOnly)) { try await store.insert(named: "grace") }
        try folder.setMode(0o000, of: "accounts.sqlite")
        #expect(await open() == .denied(path: path))
        try folder.setMode(0o700, of: ".")
    }
}
