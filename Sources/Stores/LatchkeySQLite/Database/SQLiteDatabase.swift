public import LatchkeyAccounts
import LatchkeySystem

/// An SQLite file for your program's data, with the same settings as the account store. It uses one connection on a
/// separate thread.
///
/// ```swift
/// let database = try await SQLiteDatabase.open(folder + "/notes.db", migrations: [
///     "CREATE TABLE note (id INTEGER PRIMARY KEY, account TEXT NOT NULL, text TEXT NOT NULL) STRICT"
/// ])
/// try await database.write { connection in
///     try connection.run("INSERT INTO note (account, text) VALUES (?1, ?2)", .text(account), .text("Buy milk"))
/// }
/// let texts = try await database.read { connection in
///     try connection.rows("SELECT text FROM note WHERE account = ?1", .text(account)) { try $0.text(0) }
/// }
/// ```
///
/// A closure may throw any error, and `read(_:)` and `write(_:)` then throw it or a `StoreError`. If your
/// function is `throws(StoreError)`, write the type in the closures too, because Swift does not infer it there:
/// `{ (connection) throws(SQLiteError) in … }`.
///
/// Other processes may use the same file. Writers wait for each other, up to 5 s.
public actor SQLiteDatabase {
    private let thread: SerialThread
    private var connection: SQLiteConnection?

    /// The actor's thread. It is separate, because SQLite blocks, especially while it waits for the disk.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    /// Opens the file at `path` and migrates it to the newest schema. A missing file is created with mode 0600.
    ///
    /// - Parameters:
    ///   - path: the path of the file, in an existing folder that other users cannot write to.
    ///   - migrations: the statements of each schema, oldest first. Never change a released one; append a new one
    ///     instead.
    /// - Throws: `StoreError`: `newer` if the file has more schemas than `migrations`; `notAStore` if it is not a
    ///   database, or if this type did not create it.
    public static func open(
        _ path: String, migrations: [StaticString]
    ) async throws(StoreError) -> SQLiteDatabase {
        try await open(path, migrations: migrations, busyTimeout: StoreFile.Options().busyTimeout)
    }

    /// - Parameter busyTimeout: the maximum wait for another process's lock, in milliseconds.
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

    // `read` and `write` have two forms, because Swift 6.3 needs both. It infers `any Error` for a closure that contains
    // `try` without a written type, even in a context with a typed error, so the typed form alone refuses
    // `{ try $0.rows(…) }`. The untyped form alone cannot be called in a function with `throws(StoreError)`. A generic
    // error instead of both would be the type that `body` throws, into which an error of SQLite cannot be converted.

    /// Runs `body` on a snapshot of the data.
    public func read<Result: Sendable>(
        _ body: @Sendable (SQLiteConnection) throws(SQLiteError) -> Result
    ) throws(StoreError) -> Result {
        try run(.reading, body)
    }

    /// Runs `body` on a snapshot of the data.
    ///
    /// - Throws: `StoreError` for an error of SQLite, or another error that `body` throws.
    public func read<Result: Sendable>(_ body: @Sendable (SQLiteConnection) throws -> Result) throws -> Result {
        try runThrowing(.reading, body)
    }

    /// Runs `body` in a transaction. Either all of its changes are committed or, if anything fails, none.
    @discardableResult
    public func write<Result: Sendable>(
        _ body: @Sendable (SQLiteConnection) throws(SQLiteError) -> Result
    ) throws(StoreError) -> Result {
        try run(.writing, body)
    }

    /// Runs `body` in a transaction. Either all of its changes are committed or, if anything fails, none.
    ///
    /// - Throws: `StoreError` for an error of SQLite, or another error that `body` throws.
    @discardableResult
    public func write<Result: Sendable>(_ body: @Sendable (SQLiteConnection) throws -> Result) throws -> Result {
        try runThrowing(.writing, body)
    }

    /// A number that changes whenever another connection writes to the file
    /// (sqlite.org/pragma.html#pragma_data_version).
    ///
    /// This connection's writes do not change it. Reading it only accesses the file's first page.
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

    private func runThrowing<Result: Sendable>(
        _ kind: SQLiteConnection.TransactionKind, _ body: (SQLiteConnection) throws -> Result
    ) throws -> Result {
        guard let connection else { throw StoreError.missing }
        let failure = { (error: SQLiteError) -> any Error in error.storeError }
        return try connection.transaction(kind, failure: failure) {
            do { return try body(connection) } catch let error as SQLiteError { throw error.storeError }
        }
    }

    /// Closes the file. Every later call throws `StoreError.missing`. Releasing the database closes it too.
    public func close() { connection = nil }
}
