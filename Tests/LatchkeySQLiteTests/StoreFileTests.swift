import Foundation
import LatchkeyAccounts
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

@testable import LatchkeySQLite

@Suite(.timeLimit(.minutes(60)))
struct StoreFileTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "accounts.sqlite")
    }

    func open(create: Bool = false, _ path: String? = nil) async -> StoreError? {
        do throws(AccountError) {
            _ = try await SQLiteAccountStore.open(path ?? self.path, create: create)
            return nil
        } catch {
            if case .store(let error) = error { return error }
            Issue.record(error)
            return nil
        }
    }

    /// The bytes of a valid store with one account.
    func makeStore() async throws -> Data {
        let store = try await SQLiteAccountStore.open(path, create: true)
        try await store.insert(named: "ada")
        await store.close()
        return try folder.read("accounts.sqlite")
    }

    /// Expects both ways of opening to refuse the file, and nothing to be changed or created.
    func expectRefused(_ expected: StoreError, at place: SourceLocation = #_sourceLocation) async throws {
        let names = try folder.names
        let before = try? folder.read("accounts.sqlite")
        for create in [false, true] {
            #expect(await open(create: create) == expected, sourceLocation: place)
        }
        #expect(try folder.names == names, sourceLocation: place)
        #expect((try? folder.read("accounts.sqlite")) == before, sourceLocation: place)
    }

    // MARK: Creation

    @Test func `a missing store is created only on request`() async throws {
        #expect(await open() == .missing)
        #expect(try folder.names == [])
        #expect(await open(create: true) == nil)
        #expect(try folder.names == ["accounts.sqlite", "accounts.sqlite.lock", "accounts.sqlite.reserve"])
        #expect(await open() == nil)
    }

    @Test(.enabled(if: geteuid() != 0, "root may open everything"))
    func `a file without permission is reported as denied`() async throws {
        try folder.makeFolder("closed", mode: 0)
        #expect(await open(folder.path(of: "closed/accounts.sqlite")) == .denied(path: folder.path(of: "closed")))
        _ = try await makeStore()
        try folder.setMode(0, of: "accounts.sqlite")
        #expect(await open() == .denied(path: path))
    }

    @Test func `a missing folder is not created`() async throws {
        #expect(await open(create: true, folder.path(of: "nothing/accounts.sqlite")) == .missing)
        #expect(await open(create: true, folder.path(of: "")) != nil)
        #expect(await open(create: true, "") != nil)
        #expect(try folder.names == [])
    }

    /// S-89.
    @Test(arguments: [mode_t(0), 0o777])
    func `a store is private under any umask`(mask: mode_t) async throws {
        let (folder, path) = (folder, path)
        try await withUmask(mask) {
            let connection = try StoreFile(at: path, options: .init()).open(create: true)
            try connection.run("BEGIN IMMEDIATE")
            try connection.run("INSERT INTO throttle (unknown_name, failures, last_at, total) VALUES (1, 1, 1, 1)")
            #expect(
                try folder.names == [
                    "accounts.sqlite", "accounts.sqlite-journal", "accounts.sqlite.lock", "accounts.sqlite.reserve",
                ])
            for name in try folder.names { #expect(folder.mode(of: name) == 0o600, "\(name)") }
            try connection.run("COMMIT")
        }
        #expect(await open() == nil)
    }

    /// S-89.
    @Test func `20 concurrent creations open the same store`() async throws {
        let path = path
        let ids = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let store = try await SQLiteAccountStore.open(path, create: true)
                    return try await store.read { (store) throws(AccountError) in try store.storeID }
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        #expect(try folder.names == ["accounts.sqlite", "accounts.sqlite.lock", "accounts.sqlite.reserve"])
    }

    /// S-92.
    @Test func `files left by a killed creation are deleted`() async throws {
        try folder.write("half a store".utf8, to: ".accounts.sqlite.new")
        try folder.write("a journal".utf8, to: ".accounts.sqlite.new-journal")
        #expect(await open(create: true) == nil)
        #expect(try folder.names == ["accounts.sqlite", "accounts.sqlite.lock", "accounts.sqlite.reserve"])
    }

    @Test func `without random bytes, no store is created`() async throws {
        var options = StoreFile.Options()
        options.random = RandomSource { (_) throws(RandomSource.Unavailable) in throw RandomSource.Unavailable() }
        let refusing = options
        await #expect(throws: AccountError.noRandomness) {
            _ = try await SQLiteAccountStore.open(path, create: true, options: refusing)
        }
        #expect(try folder.names == [])
    }

    @Test func `creating a store waits for the lock until its timeout`() async throws {
        let lock = try FileLock("accounts.sqlite.lock", in: GuardedFolder(at: folder.path))
        defer { lock.release() }
        var options = StoreFile.Options()
        options.busyTimeout = 20
        let impatient = options
        await #expect(throws: AccountError.store(.busy)) {
            _ = try await SQLiteAccountStore.open(path, create: true, options: impatient)
        }
        #expect(try folder.names == ["accounts.sqlite.lock"])
    }
}

extension StoreFileTests {
    func open(_ path: String) async -> StoreError? { await open(create: false, path) }
}
