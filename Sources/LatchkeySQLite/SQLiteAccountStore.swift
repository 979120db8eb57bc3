public import LatchkeyAccounts
import LatchkeySecrets
import LatchkeySystem

/// An ``AccountStore`` in one SQLite file: one connection, on a thread of its own.
///
/// Other processes and other stores may use the same file at the same time; writers wait for each other, up to 5 s.
public actor SQLiteAccountStore: AccountStore {
    private let thread: SerialThread
    private var connection: SQLiteConnection?
    private var reserve: StoreReserve?

    /// The actor's thread: the library blocks, above all while it waits for the disk.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    /// Opens the store at `path`. What is there and is no sound store of ours is refused and left as it was.
    ///
    /// - Parameters:
    ///   - path: the file; its folder must exist.
    ///   - create: whether an absent store is made, mode 0600.
    /// - Throws: ``AccountError/store(_:)``, with ``StoreError/missing`` where there is none and `create` is false;
    ///   ``AccountError/noRandomness`` where a new store gets no name.
    public static func open(_ path: String, create: Bool = false) async throws(AccountError) -> SQLiteAccountStore {
        try await open(path, create: create, options: StoreFile.Options())
    }

    /// Opens the store at `path` to look at it: nothing is written, whatever is found, and an older schema stays.
    public static func openReadOnly(_ path: String) async throws(AccountError) -> SQLiteAccountStore {
        try await open(path, create: false, .readingOnly, options: StoreFile.Options())
    }

    static func open(
        _ path: String, create: Bool, _ opening: StoreFile.Opening = .using, options: StoreFile.Options
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

    private init(on thread: SerialThread) { self.thread = thread }

    private func connect(
        to path: String, create: Bool, _ opening: StoreFile.Opening, options: StoreFile.Options
    ) throws(AccountError) {
        let file = try StoreFile(at: path, options: options)
        connection = try file.open(create: create, opening)
        reserve = file.reserve
    }

    public func write<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) throws(AccountError) -> Result {
        try run(.writing, body)
    }

    public func writeWithReserve<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) throws(AccountError) -> Result {
        do throws(AccountError) {
            return try run(.writing, body)
        } catch .store(.full) where reserve?.release() == true {
            return try run(.writing, body)
        }
    }

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
            // A body that went on after a failure must not commit half of what it wanted.
            if let failure = transaction.failure { throw .store(failure) }
            return result
        }
    }

    /// Keeps more of the file in memory, 64 MiB, for transactions that change pages all over it: what does not fit has to
    /// be written before the commit, and its journal flushed each time.
    public func enlargeCache() throws(AccountError) {
        guard let connection else { throw .store(.missing) }
        do throws(SQLiteError) {
            try connection.execute("PRAGMA cache_size = -65536")
        } catch {
            throw error.accountError
        }
    }

    /// Whether the whole file is sound: pages, indexes and references (`PRAGMA integrity_check`). Reads all of it.
    public func isIntact() throws(AccountError) -> Bool {
        guard let connection else { throw .store(.missing) }
        do throws(SQLiteError) { return try connection.damage().isEmpty } catch { throw error.accountError }
    }

    /// Gives the file up; every later call throws ``StoreError/missing``. Dropping the store does so too.
    public func close() { connection = nil }
}
