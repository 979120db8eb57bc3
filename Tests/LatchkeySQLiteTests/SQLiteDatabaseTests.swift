import Foundation
import LatchkeyAccounts
import TestSupport
import Testing

@testable import LatchkeySQLite

@Suite(.timeLimit(.minutes(60)))
struct SQLiteDatabaseTests {
    let folder: TemporaryFolder
    let path: String

    static let first: StaticString = "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT"
    static let second: StaticString = "ALTER TABLE note ADD COLUMN done INTEGER NOT NULL DEFAULT 0"

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "notes.db")
    }

    private func open(
        _ migrations: [StaticString] = [first], busyTimeout: Int32 = 5000
    ) async throws(StoreError) -> SQLiteDatabase {
        try await SQLiteDatabase.open(path, migrations: migrations, busyTimeout: busyTimeout)
    }

    private func add(_ text: String, to database: SQLiteDatabase) async throws(StoreError) {
        _ = try await database.write { (connection) throws(SQLiteError) in
            try connection.run("INSERT INTO note (text) VALUES (?1)", .text(text))
        }
    }

    private func texts(in database: SQLiteDatabase) async throws(StoreError) -> [String] {
        try await database.read { (connection) throws(SQLiteError) in
            try connection.rows("SELECT text FROM note ORDER BY id") { (row) throws(SQLiteError) in try row.text(0) }
        }
    }

    private func refusal(_ migrations: [StaticString] = [first]) async -> StoreError? {
        do throws(StoreError) {
            _ = try await open(migrations)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a new database is private and stores its rows`() async throws {
        try await add("ünïcode", to: open())
        #expect(folder.mode(of: "notes.db") == 0o600)
        #expect(try await texts(in: open()) == ["ünïcode"])
    }

    /// The example in the comment of `SQLiteDatabase`: closures without types, and no unused result.
    @Test func `closures infer their errors, and a write's result may be ignored`() async throws {
        let database = try await open()
        try await database.write { connection in
            try connection.run("INSERT INTO note (text) VALUES (?1)", .text("Buy milk"))
        }
        let texts = try await database.read { connection in
            try connection.rows("SELECT text FROM note WHERE text = ?1", .text("Buy milk")) { try $0.text(0) }
        }
        #expect(texts == ["Buy milk"])
        let count = try await database.read { try $0.row("SELECT count(*) FROM note") { try $0.integer(0) } }
        #expect(count == 1)
    }

    @Test func `a closure's own error rolls back and is thrown, and one of SQLite becomes a store error`() async throws
    {
        struct Refusal: Error {}
        let database = try await open()
        await #expect(throws: Refusal.self) {
            try await database.write { connection in
                try connection.run("INSERT INTO note (text) VALUES (?1)", .text("a"))
                throw Refusal()
            }
        }
        #expect(try await texts(in: database) == [])
        await #expect(throws: StoreError.self) {
            try await database.write { connection in try connection.run("INSERT INTO note (text) VALUES (NULL)") }
        }
        try await add("b", to: database)
        #expect(try await texts(in: database) == ["b"])
    }

    @Test func `an older schema is migrated and keeps its rows`() async throws {
        try await add("a", to: open())
        let database = try await open([Self.first, Self.second])
        let done = try await database.read { (connection) throws(SQLiteError) in
            try connection.row("SELECT done FROM note") { (row) throws(SQLiteError) in try row.integer(0) }
        }
        #expect(done == 0)
        #expect(await refusal() == .newer(schema: 2))
    }

    @Test func `a failed migration leaves the old schema`() async throws {
        try await add("a", to: open())
        #expect(await refusal([Self.first, "CREATE TABLE other (id); CREATE TABLE note (id)"]) != nil)
        let database = try await open([Self.first, "CREATE TABLE other (id)"])
        #expect(try await texts(in: database) == ["a"])
    }

    @Test func `a failed write is rolled back, and the connection remains usable`() async throws {
        let database = try await open()
        await #expect(throws: StoreError.self) {
            try await database.write { (connection) throws(SQLiteError) in
                try connection.run("INSERT INTO note (text) VALUES (?1)", .text("a"))
                try connection.run("INSERT INTO note (text) VALUES (?1)", .text("a"))
            }
        }
        #expect(try await texts(in: database) == [])
        try await add("b", to: database)
        #expect(try await texts(in: database) == ["b"])
    }

    @Test func `a read takes no lock that blocks another read`() async throws {
        let database = try await open()
        try await add("a", to: database)
        let other = try await open()
        // A reader does not block another reader.
        #expect(try await texts(in: database) == texts(in: other))
    }

    @Test func `the data version changes only with writes of other connections`() async throws {
        let (database, other) = (try await open(), try await open())
        let before = try await database.dataVersion()
        try await add("mine", to: database)
        #expect(try await database.dataVersion() == before)
        try await add("theirs", to: other)
        #expect(try await database.dataVersion() != before)
    }

    @Test func `a write to a locked database fails as busy and can be repeated`() async throws {
        let other = try SQLiteConnection(opening: try await made())
        let database = try await open(busyTimeout: 1)
        try other.execute("BEGIN IMMEDIATE")
        await #expect(throws: StoreError.busy) { try await add("a", to: database) }
        try other.execute("ROLLBACK")
        try await add("b", to: database)
        #expect(try await texts(in: database) == ["b"])
    }

    @Test(.enabled(if: getuid() != 0, "root may write what is read only"))
    func `a read-only database can be read`() async throws {
        try await add("a", to: open())
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
        let database = try await open()
        #expect(try await texts(in: database) == ["a"])
        await #expect(throws: StoreError.readOnly) { try await add("b", to: database) }
    }

    @Test func `a file that is not the program's database is refused and unchanged`() async throws {
        try folder.write("No database at all, but a text that is long enough".utf8, to: "notes.db")
        #expect(await refusal() == .notAStore)
        #expect(try folder.read("notes.db").starts(with: Data("No database".utf8)))
        try FileManager.default.removeItem(atPath: path)
        let other = try SQLiteConnection(opening: try await made())
        try other.setSchema(0)
        #expect(await refusal() == .notAStore)
    }

    @Test func `a folder that other users can write to is refused`() async throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path) }
        guard case .openFolder? = await refusal() else {
            Issue.record("it was opened")
            return
        }
    }

    @Test func `using a closed database fails as missing`() async throws {
        let database = try await open()
        await database.close()
        await #expect(throws: StoreError.missing) { try await add("a", to: database) }
        await #expect(throws: StoreError.missing) { try await database.dataVersion() }
    }

    /// The path of a new database.
    private func made() async throws(StoreError) -> String {
        _ = try await open()
        return path
    }
}
