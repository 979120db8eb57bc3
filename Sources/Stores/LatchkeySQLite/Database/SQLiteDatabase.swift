public import LatchkeyAccounts
import LatchkeySystem

/// A SQLite file for your program's own data, with the same settings as the account store: one connection on a thread
/// of its own.
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
/// Other processes may use the same file. Writers wait for each other, up to 5 s.
public actor SQLiteDatabase {
    private let thread: SerialThread
    private var connection: SQLiteConnection?

    /// The actor's own thread, because SQLite blocks, above all while it waits for the disk.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    /// Opens the file at `path` and migrates it to the newest schema. Creates a missing file with mode 0600.
    ///
    /// - Parameters:
    ///   - path: in an existing folder that other users cannot write to.
    ///   - migrations: the statements of each schema, oldest first. Never change a released one; append a new one.
    /// - Throws: ``StoreError``: `newer` if the file has more schemas than `migrations`; `notAStore` if it is not a
    ///   database or one that this type did not create.
    public static func open(
        _ path: String, migrations: [StaticString]
    ) async throws(StoreError) -> SQLiteDatabase {
        try await open(path, migrations: migrations, busyTimeout: StoreFile.Options().busyTimeout)
    }

    /// - Parameter busyTimeout: how many milliseconds to wait for another process's lock.
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

    /// Runs `body` on a snapshot of the data.
    public func read<Result: Sendable>(
        _ body: @Sendable (SQLiteConnection) throws(SQLiteError) -> Result
    ) throws(StoreError) -> Result {
        try run(.reading, body)
    }

    /// Runs `body` in a transaction: all of its changes are committed, or none if anything fails.
    public func write<Result: Sendable>(
        _ body: @Sendable (SQLiteConnection) throws(SQLiteError) -> Result
    ) throws(StoreError) -> Result {
        try run(.writing, body)
    }

    /// A number that changes whenever another connection has written to the file
    /// (sqlite.org/pragma.html#pragma_data_version).
    ///
    /// Writes of this connection do not change it. Reading it costs one look at the file's first page.
    public func dataVersion() throws(StoreError) -> Int64 {
        guard let connection else { throw .missing }
        do throws(SQLiteError) {
            return try connection.integer("PRAGMA data_version") ?? 0
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

    /// Closes the file. Every later call throws ``StoreError/missing``. Releasing the database closes it too.
    public func close() { connection = nil }
}
