import CSQLite
import Foundation
import LatchkeyAccounts
import LatchkeySQL
import TestSupport
import Testing

@testable import LatchkeySQLite

@Suite(.timeLimit(.minutes(60)))
struct SQLiteConnectionTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "accounts.sqlite")
    }

    private func connect(_ options: StoreFile.Options = .init()) throws -> SQLiteConnection {
        try StoreFile(at: path, options: options).open(create: true)
    }

    @Test func `values of any length are read as they were bound`() throws {
        let connection = try connect()
        for count in [0, 1, 16, 63, 64, 65, 5000, 3, 0, 200_000] {
            let text = String(repeating: "é", count: count)
            let blob = [UInt8](repeating: 0xFF, count: count)
            let back = try connection.row(
                "SELECT ?1, ?2, ?3, ?4, ?1", .text(text), .bytes(blob), .integer(Int64(count)), .null
            ) { (row) throws(SQLiteError) in
                (try row.text(0), try row.bytes(1), try row.integer(2), row.isNull(3), try row.text(4))
            }
            let row = try #require(back)
            #expect(row.0 == text && row.1 == blob && row.2 == Int64(count) && row.3 && row.4 == text)
        }
    }

    /// S-105.
    @Test func `every setting takes effect`() throws {
        let connection = try connect()
        func number(_ pragma: StaticString) throws -> Int64? {
            try connection.row(pragma) { (row) throws(SQLiteError) in try row.integer(0) }
        }
        #expect(try number("PRAGMA synchronous") == 3)
        #expect(try number("PRAGMA foreign_keys") == 1)
        #expect(try number("PRAGMA trusted_schema") == 0)
        #expect(try number("PRAGMA cell_size_check") == 1)
        #expect(try number("PRAGMA secure_delete") == 1)
        #expect(try number("PRAGMA temp_store") == 2)
        #expect(try number("PRAGMA busy_timeout") == 5000)
        #expect(try number("PRAGMA application_id") == Int64(StoreHeader.applicationID))
        #expect(try number("PRAGMA user_version") == Int64(StoreFile.Options().newestSchema))
        let journal = try connection.row("PRAGMA journal_mode") { (row) throws(SQLiteError) in try row.text(0) }
        #expect(journal == "delete")
        // DEFENSIVE: the schema cannot be written directly.
        try connection.execute("PRAGMA writable_schema = ON")
        #expect(throws: SQLiteError.self) { try connection.execute("DELETE FROM sqlite_schema") }
        // SQLite accepts no text beyond the limit.
        #expect(throws: SQLiteError.self) {
            try connection.run("SELECT ?1", .text(String(repeating: "x", count: (1 << 20) + 1)))
        }
    }

    private static let sabotages: [StaticString] = [
        "PRAGMA busy_timeout = 1", "PRAGMA foreign_keys = OFF", "PRAGMA trusted_schema = ON",
        "PRAGMA cell_size_check = OFF", "PRAGMA mmap_size = 65536", "PRAGMA secure_delete = OFF",
        "PRAGMA temp_store = FILE", "PRAGMA synchronous = NORMAL", "PRAGMA journal_mode = TRUNCATE",
        "PRAGMA journal_mode = WAL",
    ]

    /// S-105: reading the settings back detects each changed one.
    @Test(arguments: sabotages.indices)
    func `a setting that SQLite ignores is detected`(index: Int) throws {
        let connection = try connect()
        try connection.checkSettings(busyTimeout: 5000)
        try connection.execute(Self.sabotages[index])
        expectRefused(connection)
    }

    /// S-105.
    @Test(arguments: [SQLITE_DBCONFIG_DEFENSIVE, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION])
    func `a flag that SQLite ignores is detected`(flag: Int32) throws {
        let connection = try connect()
        connection.setFlag(flag, flag == SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION)
        expectRefused(connection)
    }

    /// S-105.
    @Test func `a limit that SQLite ignores is detected`() throws {
        let connection = try connect()
        connection.setLimit(SQLITE_LIMIT_LENGTH, 1 << 19)
        expectRefused(connection)
    }

    private func expectRefused(_ connection: SQLiteConnection, at place: SourceLocation = #_sourceLocation) {
        do throws(SQLiteError) {
            try connection.checkSettings(busyTimeout: 5000)
            Issue.record("not found out", sourceLocation: place)
        } catch {
            #expect(error.storeError == .settingRefused, sourceLocation: place)
        }
    }

    /// S-128: the exit status is 71, and 74 for other failures of SQLite.
    @Test(arguments: [(7, 0), (10 | 12 << 8, 0), (10 | 1 << 8, ENOMEM)] as [(Int32, Int32)])
    func `a failed allocation is reported as out of memory`(code: Int32, systemCode: Int32) {
        #expect(SQLiteError(code: code, systemCode: systemCode).storeError == .outOfMemory)
    }

    /// SQLite reports this error if it cannot create a journal because the disk has become read-only: it then tries to
    /// read the journal, which does not exist.
    @Test func `a store whose journal cannot be created is reported as read-only, not missing`() {
        #expect(SQLiteError(code: SQLITE_CANTOPEN, systemCode: ENOENT).storeError == .readOnly)
        #expect(
            SQLiteError(code: SQLITE_CANTOPEN, systemCode: EMFILE).storeError == .failed(resultCode: SQLITE_CANTOPEN))
    }

    @Test func `rows of the audit trail can be neither changed nor deleted`() throws {
        let connection = try connect()
        try connection.run(
            """
            INSERT INTO audit (sequence, time, event, request_id, reason, hash)
                VALUES (1, 1, 'user_created', 'r', '', zeroblob(32))
            """)
        for sql in ["UPDATE audit SET reason = 'x'", "DELETE FROM audit"] as [StaticString] {
            #expect(throws: SQLiteError.self) { try connection.run(sql) }
        }
        #expect(throws: SQLiteError.self) {
            try connection.run(
                """
                INSERT OR REPLACE INTO audit (sequence, time, event, request_id, reason, hash)
                    VALUES (1, 2, 'user_deleted', 'r', '', zeroblob(32))
                """)
        }
        let event = try connection.row("SELECT event FROM audit") { (row) throws(SQLiteError) in try row.text(0) }
        #expect(event == "user_created")
    }

    /// S-107.
    @Test func `a write waits for a lock until its timeout, and then fails without a change`() async throws {
        let holder = try connect()
        try holder.run("BEGIN IMMEDIATE")
        var options = StoreFile.Options()
        options.busyTimeout = 20
        let store = try await SQLiteAccountStore.open(path, create: false, options: options)
        await #expect(throws: AccountError.store(.busy)) { try await store.insert(named: "ada") }
        #expect(try await store.account(named: "ada") == nil)
        try holder.run("ROLLBACK")
        try await store.insert(named: "ada")
        // A reader delays a writer only during the commit.
        try holder.run("BEGIN")
        _ = try holder.row("SELECT 1 FROM account") { (_) throws(SQLiteError) in true }
        await #expect(throws: AccountError.store(.busy)) { try await store.insert(named: "grace") }
        try holder.run("COMMIT")
        #expect(try await store.account(named: "grace") == nil)
        try await store.insert(named: "grace")
    }

    @Test func `a full store reports the error, keeps its rows and still permits deletions`() throws {
        let connection = try connect()
        try connection.execute("PRAGMA max_page_count = 144")
        func enqueue(_ number: Int) throws(AccountError) {
            try connection.transaction(failure: \.accountError) { () throws(AccountError) in
                let transaction = SQLiteTransaction(on: connection, mayWrite: true)
                try transaction.enqueue(
                    OutboxMessage(
                        id: "m\(number)", recipient: nil, subject: "", body: String(repeating: "x", count: 20_000),
                        createdAt: Timestamp(milliseconds: 1), expiresAt: nil))
            }
        }
        var written = 0
        #expect(throws: AccountError.store(.full)) {
            while written < 100 {
                try enqueue(written)
                written += 1
            }
        }
        #expect((1..<100).contains(written))
        let reader = SQLiteTransaction(on: connection, mayWrite: false)
        #expect(try reader.waitingMessages(limit: 1000).count == written)
        try SQLiteTransaction(on: connection, mayWrite: true).deleteMessage("m0")
        try enqueue(1000)
        #expect(try reader.waitingMessages(limit: 1000).count == written)
    }

    @Test func `invalid values from another program are reported as damage`() throws {
        let connection = try connect()
        try connection.run(
            """
            INSERT INTO account (id, login_name, email, state, created_at, must_change_password, password_generation,
                attributes) VALUES (?1, 'ada', 'a@b.example', 0, 1, 0, 0, '[]')
            """, .bytes([UInt8](repeating: 1, count: 16)))
        let transaction = SQLiteTransaction(on: connection, mayWrite: true)
        #expect(throws: AccountError.store(.corrupt)) { try transaction.accounts(after: nil, limit: 1) }
        #expect(throws: AccountError.store(.corrupt), "and then nothing more is done") {
            try transaction.deleteMessage("m1")
        }
    }
}
