public import LatchkeyAccounts
import LatchkeySQL
import LatchkeySecrets
public import LatchkeySystem

/// An `AccountStore` in one SQLite file, with one connection on a separate thread.
///
/// Other processes may use the same file. Writers wait for each other, up to 5 s.
public actor SQLiteAccountStore: AccountStore {
    /// The actor's thread. A task that calls the store often can run on it too.
    public nonisolated let thread: SerialThread
    private var connection: SQLiteConnection?
    /// The maximum wait for another process's lock, in milliseconds.
    private var busyTimeout: Int32 = 0
    private var reserve: StoreReserve?

    /// The actor's thread. It is separate, because SQLite blocks, especially while it waits for the disk.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    /// The number of the newest schema, which PostgreSQL stores have too.
    package static var newestSchema: Int { Migration.all.newestSchema }

    /// Opens the store at `path`. A file that is not an intact store is refused and left unchanged.
    ///
    /// - Parameters:
    ///   - path: the path of the file, whose folder must exist.
    ///   - create: whether to create a missing store, with mode 0600.
    /// - Throws: `AccountError.store(_:)`, with `StoreError.missing` if the store is missing and `create` is false, or
    ///   `StoreError.older(schema:)` if `migrate(_:mayContinue:)` must first migrate the store;
    ///   `AccountError.noRandomness` if no random ID for a new store is available.
    public static func open(_ path: String, create: Bool = false) async throws(AccountError) -> SQLiteAccountStore {
        try await open(path, create: create, options: StoreFile.Options())
    }

    /// Opens the store at `path` read-only. An older schema is not migrated.
    public static func openReadOnly(_ path: String) async throws(AccountError) -> SQLiteAccountStore {
        try await open(path, create: false, .readOnly, options: StoreFile.Options())
    }

    static func open(
        _ path: String, create: Bool, _ opening: StoreFile.Opening = .current, options: StoreFile.Options
    ) async throws(AccountError) -> SQLiteAccountStore {
        let thread: SerialThread
        do throws(SystemError) {
            thread = try SerialThread()
        } catch {
            throw .store(.outOfMemory)
        }
        let store = SQLiteAccountStore(on: thread)
        try await store.connect(to: path, create: create, opening, options: options)
        return store
    }

    /// Migrates the store at `path` to the newest schema in one transaction. Blocks the thread. A copy of the old store
    /// stays next to it.
    ///
    /// - Parameters:
    ///   - key: reads the store's key, which only some migrations need.
    ///   - mayContinue: called every few milliseconds and after each statement, with the number of completed statements
    ///     and the total. If it returns false, the store does not change, and the call throws
    ///     `StoreError.failed(resultCode:)` with 9 (`SQLITE_INTERRUPT`).
    ///   - path: the path of the file.
    public static func migrate(
        _ path: String, key: () throws(AccountError) -> StoreKey,
        mayContinue: (_ done: Int, _ total: Int) -> Bool = { _, _ in true }
    ) throws(AccountError) -> StoreMigration {
        try migrate(path, options: StoreFile.Options(), mayContinue: mayContinue, key: key)
    }

    static func migrate(
        _ path: String, options: StoreFile.Options, mayContinue: MigrationProgress = { _, _ in true },
        key: () throws(AccountError) -> StoreKey? = { nil }
    ) throws(AccountError) -> StoreMigration {
        var file = try StoreFile(at: path, options: options)
        let connection = try file.open(create: false, .keepingSchema)
        if let schema = try file.olderSchema(of: connection), options.migrations.needsKey(after: schema) {
            file.options.key = try key()
        }
        return try file.migrate(connection, mayContinue: mayContinue)
    }

    private init(on thread: SerialThread) { self.thread = thread }

    private func connect(
        to path: String, create: Bool, _ opening: StoreFile.Opening, options: StoreFile.Options
    ) throws(AccountError) {
        let file = try StoreFile(at: path, options: options)
        connection = try file.open(create: create, opening)
        busyTimeout = options.busyTimeout
        reserve = file.reserve
    }

    /// Runs `body` in a write transaction.
    public func write<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        await returnToOwnThread()
        return try run(.writing, body)
    }

    /// Runs `body` in a write transaction. If the disk is full, it releases the reserved space.
    public func writeWithReserve<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        await returnToOwnThread()
        do throws(AccountError) {
            return try run(.writing, body)
        } catch .store(.full) where reserve?.release() == true {
            return try run(.writing, body)
        }
    }

    /// Runs `body` in a write transaction.
    public func seal<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        try await write(body)
    }

    /// True: only one transaction writes at a time.
    public nonisolated var sealsAtOnce: Bool { true }

    /// Runs `body` on a snapshot, again if another process writes to the file while this actor is on a borrowed thread.
    public func read<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        if thread.isLent, let connection {
            connection.setBusyTimeout(milliseconds: 0)
            defer { connection.setBusyTimeout(milliseconds: busyTimeout) }
            do throws(AccountError) { return try run(.reading, body) } catch {
                guard case .store(.busy) = error else { throw error }
            }
        }
        await returnToOwnThread()
        return try run(.reading, body)
    }

    /// Leaves a borrowed thread before work that waits for the disk or for other processes.
    private func returnToOwnThread() async {
        while thread.isLent {
            thread.endLoan()
            await Task.yield()
        }
    }

    private func run<Result: Sendable>(
        _ kind: SQLiteConnection.TransactionKind, _ body: (any StoreTransaction) throws(AccountError) -> Result
    ) throws(AccountError) -> Result {
        guard let connection else { throw .store(.missing) }
        return try connection.transaction(kind, failure: \.accountError) { () throws(AccountError) in
            let transaction = SQLiteTransaction(on: connection, mayWrite: kind == .writing)
            let result = try body(transaction)
            try transaction.finish()
            // If the body continues after a failure, only a part of its changes would be committed.
            if let failure = transaction.failure { throw .store(failure) }
            return result
        }
    }

    /// Caches 64 MiB of the file, for transactions that change pages throughout the file.
    public func enlargeCache() throws(AccountError) {
        guard let connection else { throw .store(.missing) }
        do throws(SQLiteError) { try connection.enlargeCache() } catch { throw error.accountError }
    }

    /// Whether the whole file is intact: pages, indexes and references (`PRAGMA integrity_check`). Reads all of it.
    public func isIntact() throws(AccountError) -> Bool {
        guard let connection else { throw .store(.missing) }
        do throws(SQLiteError) { return try connection.damage().isEmpty } catch { throw error.accountError }
    }

    /// Closes the file. Every later call throws `StoreError.missing`. Releasing the store closes it too.
    public func close() { connection = nil }
}
