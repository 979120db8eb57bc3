public import LatchkeyAccounts
import LatchkeySystem

/// A program's own data in one SQLite file, kept as the store is: one connection, on a thread of its own, with the same
/// settings.
///
/// ```swift
/// let database = try await SQLiteDatabase.open(folder + "/notes.db", migrations: [
///     "CREATE TABLE note (id INTEGER PRIMARY KEY, account TEXT NOT NULL, text TEXT NOT NULL) STRICT"
/// ])
/// try await database.write { (connection) throws(SQLiteError) in
///     try connection.run("INSERT INTO note (account, text) VALUES (?1, ?2)", .text(account), .text("Buy milk"))
/// }
/// ```
///
/// Other processes may use the same file at the same time; writers wait for each other, up to 5 s.
public actor SQLiteDatabase {
    private let thread: SerialThread
    private var connection: SQLiteConnection?

    /// The actor's thread: the library blocks, above all while it waits for the disk.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    /// Opens the file at `path`, made with mode 0600 where there is none, and takes it to the newest schema.
    ///
    /// - Parameters:
    ///   - path: in a folder that is there and that nobody else can write to.
    ///   - migrations: the statements of each schema, the first made first. What has been released is never changed; a new
    ///     schema is one more at the end.
    /// - Throws: ``StoreError``: `newer` where the file has more schemas than `migrations`, `notAStore` where it is no
    ///   database or one that this did not make.
    public static func open(
        _ path: String, migrations: [StaticString]
    ) async throws(StoreError) -> SQLiteDatabase {
        try await open(path, migrations: migrations, busyTimeout: StoreFile.Options().busyTimeout)
    }

    /// - Parameter busyTimeout: milliseconds for which another's lock is waited for.
    static func open(
        _ path: String, migrations: [StaticString], busyTimeout: Int32
    ) async throws(StoreError) -> SQLiteDatabase {
        let thread: SerialThread
        do throws(SystemError) {
            thread = try SerialThread()
        } catch {
            throw .outOfMemory
        }
        let database = SQLiteDatabase(on: thread)
        try await database.connect(to: path, migrations, busyTimeout: busyTimeout)
        return database
    }

    private init(on thread: SerialThread) { self.thread = thread }

    private func connect(to path: String, _ migrations: [StaticString], busyTimeout: Int32) throws(StoreError) {
        let file = try DatabaseFile(at: path)
        connection = try file.open(migrations, busyTimeout: busyTimeout)
    }

    /// Looks at the data as they are at one moment.
    public func read<Result: Sendable>(
        _ body: @Sendable (SQLiteConnection) throws(SQLiteError) -> Result
    ) throws(StoreError) -> Result {
        try run(.reading, body)
    }

    /// Changes the data: all that `body` does, or nothing where anything of it fails.
    public func write<Result: Sendable>(
        _ body: @Sendable (SQLiteConnection) throws(SQLiteError) -> Result
    ) throws(StoreError) -> Result {
        try run(.writing, body)
    }

    /// A number that is another one after anybody else has written to the file, and stays the same when this does
    /// (sqlite.org/pragma.html#pragma_data_version). To ask for it costs no more than a look at the file's first page.
    public func dataVersion() throws(StoreError) -> Int64 {
        guard let connection else { throw .missing }
        do throws(SQLiteError) {
            return try connection.row("PRAGMA data_version") { (row) throws(SQLiteError) in try row.integer(0) } ?? 0
        } catch {
            throw error.storeError
        }
    }

    private func run<Result: Sendable>(
        _ kind: SQLiteConnection.TransactionKind, _ body: (SQLiteConnection) throws(SQLiteError) -> Result
    ) throws(StoreError) -> Result {
        guard let connection else { throw .missing }
        return try connection.transaction(kind, failure: \.storeError) { () throws(StoreError) in
            do throws(SQLiteError) { return try body(connection) } catch { throw error.storeError }
        }
    }

    /// Gives the file up; every later call throws ``StoreError/missing``. Dropping the database does so too.
    public func close() { connection = nil }
}
