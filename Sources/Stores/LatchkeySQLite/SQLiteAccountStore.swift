public import LatchkeyAccounts
import LatchkeySQL
import LatchkeySecrets
public import LatchkeySystem

/// An ``AccountStore`` in one SQLite file, with one connection on a separate thread.
///
/// Other processes may use the same file. Writers wait for each other, up to 5 s.
public actor SQLiteAccountStore: AccountStore {
    /// The actor's own thread. A task that calls the store often may prefer it.
    public nonisolated let thread: SerialThread
    private var connection: SQLiteConnection?
    private var reserve: StoreReserve?

    /// The actor's own thread, because SQLite blocks, above all while it waits for the disk.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    /// Opens the store at `path`. A file that is not a sound store is refused and left untouched.
    ///
    /// - Parameters:
    ///   - path: the file; its folder must exist.
    ///   - create: whether to create a missing store, with mode 0600.
    /// - Throws: ``AccountError/store(_:)``, with ``StoreError/missing`` if there is no store and `create` is false,
    ///   and ``StoreError/older(schema:)`` until ``migrate(_:mayContinue:)`` has migrated the store;
    ///   ``AccountError/noRandomness`` if a new store gets no ID.
    public static func open(_ path: String, create: Bool = false) async throws(AccountError) -> SQLiteAccountStore {
        try await open(path, create: create, options: StoreFile.Options())
    }

    /// Opens the store at `path` without ever writing to it. An older schema stays as it is.
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

    /// Migrates the store at `path` to the newest schema, all or nothing, and blocks the thread. A copy of the old
    /// store stays next to it.
    ///
    /// - Parameters:
    ///   - key: reads the store's key, if the store has an older schema.
    ///   - mayContinue: called every few milliseconds and after each statement, with the number of statements that have
    ///     run and of all of them. If it returns false, the store stays as it is, and the call throws
    ///     ``StoreError/failed(resultCode:)`` with 9 (`SQLITE_INTERRUPT`).
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
        if try file.olderSchema(of: connection) != nil { file.options.key = try key() }
        return try file.migrate(connection, mayContinue: mayContinue)
    }

    private init(on thread: SerialThread) { self.thread = thread }

    private func connect(
        to path: String, create: Bool, _ opening: StoreFile.Opening, options: StoreFile.Options
    ) throws(AccountError) {
        let file = try StoreFile(at: path, options: options)
        connection = try file.open(create: create, opening)
        reserve = file.reserve
    }

    /// Runs `body` in a writing transaction.
    public func write<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) throws(AccountError) -> Result {
        try run(.writing, body)
    }

    /// Runs `body` in a writing transaction, giving up the reserved space if the disk is full.
    public func writeWithReserve<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) throws(AccountError) -> Result {
        do throws(AccountError) {
            return try run(.writing, body)
        } catch .store(.full) where reserve?.release() == true {
            return try run(.writing, body)
        }
    }

    /// Runs `body` on a snapshot.
    public func read<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) throws(AccountError) -> Result {
        try run(.reading, body)
    }

    private func run<Result: Sendable>(
        _ kind: SQLiteConnection.TransactionKind, _ body: (any StoreTransaction) throws(AccountError) -> Result
    ) throws(AccountError) -> Result {
        guard let connection else { throw .store(.missing) }
        return try connection.transaction(kind, failure: \.accountError) { () throws(AccountError) in
            let transaction = SQLiteTransaction(on: connection, mayWrite: kind == .writing)
            let result = try body(transaction)
            try transaction.finish()
            // A body that continues after a failure must not commit half of its changes.
            if let failure = transaction.failure { throw .store(failure) }
            return result
        }
    }

    /// Caches 64 MiB of the file for transactions that change pages all over it.
    public func enlargeCache() throws(AccountError) {
        guard let connection else { throw .store(.missing) }
        do throws(SQLiteError) { try connection.enlargeCache() } catch { throw error.accountError }
    }

    /// Whether the whole file is sound: pages, indexes and references (`PRAGMA integrity_check`). Reads all of it.
    public func isIntact() throws(AccountError) -> Bool {
        guard let connection else { throw .store(.missing) }
        do throws(SQLiteError) { return try connection.damage().isEmpty } catch { throw error.accountError }
    }

    /// Closes the file. Every later call throws ``StoreError/missing``. Releasing the store closes it too.
    public func close() { connection = nil }
}
