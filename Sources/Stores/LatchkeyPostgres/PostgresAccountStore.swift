public import LatchkeyAccounts
import LatchkeySecrets
import LatchkeySystem

/// An ``AccountStore`` in a PostgreSQL database (version 15 or newer), with several connections.
///
/// Other processes on other machines may use the same database. A writer first locks one row and waits up to 5 s for
/// it, so that writers follow one another as in an SQLite store. Readers never wait for writers.
public final class PostgresAccountStore: AccountStore {
    /// The store's ID and the tag of its key.
    public let identity: StoreIdentity
    private let pool: PostgresPool

    /// Opens the store in a database.
    ///
    /// - Parameters:
    ///   - address: a `postgresql://` URL, or keywords and values, as libpq reads them. Missing values come from
    ///     libpq's environment variables, service file and password file. Without an `sslmode`, a server on another
    ///     machine must have a valid certificate for its name (`verify-full`).
    ///   - new: what a new store gets; nil to create none. If the database has a store already, or another process
    ///     creates one first, that store is opened.
    ///   - connections: how many transactions can run at once; at least 1. All but the first connect when needed.
    /// - Throws: ``AccountError/store(_:)``, with ``StoreError/missing`` if there are no tables and `new` is nil;
    ///   ``AccountError/noRandomness`` if a connection gets no ID.
    public static func open(
        _ address: String, creating new: StoreIdentity? = nil, connections: Int = 8
    ) async throws(AccountError) -> PostgresAccountStore {
        let read: PostgresAddress
        do throws(PostgresError) { read = try PostgresAddress(address) } catch { throw error.accountError }
        var workers: [PostgresWorker] = []
        for _ in 0..<max(connections, 1) {
            let (thread, id): (SerialThread, [UInt8])
            do throws(SystemError) { thread = try SerialThread() } catch { throw .store(.outOfMemory) }
            do throws(RandomSource.Unavailable) { id = try RandomSource.system.bytes(16) } catch {
                throw .noRandomness
            }
            workers.append(PostgresWorker(for: read, id: id, on: thread))
        }
        let identity = try await workers[0].open(creating: new)
        return PostgresAccountStore(identity: identity, pool: PostgresPool(workers))
    }

    /// Migrates the store in a database to the newest schema, all or nothing, and blocks the thread. Stop the services
    /// first.
    ///
    /// Waits at most 5 s for a transaction of another process.
    ///
    /// - Parameters:
    ///   - key: reads the store's key, if the store has an older schema.
    ///   - mayContinue: called every 100 ms and after each statement, with the number of statements that have run and of
    ///     all of them. If it returns false, the store stays as it is, and the call throws
    ///     ``StoreError/refused(state:)`` with 57014 (`query_canceled`).
    public static func migrate(
        _ address: String, key: (StoreIdentity) throws(AccountError) -> StoreKey,
        mayContinue: (_ done: Int, _ total: Int) -> Bool = { _, _ in true }
    ) throws(AccountError) -> StoreMigration {
        do throws(PostgresError) {
            let connection = try PostgresConnection(to: try PostgresAddress(address))
            return try PostgresSchema.migrate(connection, key: key, mayContinue: mayContinue)
        } catch {
            throw error.accountError
        }
    }

    private init(identity: StoreIdentity, pool: PostgresPool) {
        self.identity = identity
        self.pool = pool
    }

    /// Runs `body` in a writing transaction.
    ///
    /// Repeats it, at most 5 times, if the database undid it because of another one or because the connection was lost.
    /// If the connection is lost during the commit, it first finds out whether the database has committed.
    ///
    /// - Throws: also ``StoreError/failed(resultCode:)`` with SQLSTATE 08007 if that cannot be found out within about
    ///   10 s.
    public func write<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        try await run(.writing, body)
    }

    /// Runs `body` on a snapshot. Repeats it as ``write(_:)`` does.
    public func read<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        try await run(.reading, body)
    }

    private func run<Result: Sendable>(
        _ kind: PostgresConnection.TransactionKind,
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        let worker = await pool.take(for: kind)
        do throws(AccountError) {
            let result = try await worker.run(kind, body)
            pool.giveBack(worker, after: kind)
            return result
        } catch {
            pool.giveBack(worker, after: kind)
            throw error
        }
    }
}

/// The workers that wait for a transaction, and the transactions that wait for a worker.
///
/// Writers take at most half of the workers: while they wait for the one lock, readers would wait with them.
private final class PostgresPool: Sendable {
    private typealias Waiting = (
        kind: PostgresConnection.TransactionKind, continuation: CheckedContinuation<PostgresWorker, Never>
    )

    private struct State: Sendable {
        var idle: [PostgresWorker]
        var freeForWriters: Int
        /// The waiting callers, in order of arrival.
        var waiting: [Waiting] = []

        mutating func take(for kind: PostgresConnection.TransactionKind) -> PostgresWorker? {
            guard !idle.isEmpty, kind == .reading || freeForWriters > 0 else { return nil }
            if kind == .writing { freeForWriters -= 1 }
            return idle.removeLast()
        }

        /// Takes a worker for the first transaction that can have one.
        mutating func next() -> (Waiting, PostgresWorker)? {
            guard let place = waiting.firstIndex(where: { $0.kind == .reading || freeForWriters > 0 }),
                let worker = take(for: waiting[place].kind)
            else { return nil }
            return (waiting.remove(at: place), worker)
        }
    }

    private let state: Locked<State>

    init(_ workers: [PostgresWorker]) {
        state = Locked(State(idle: workers.reversed(), freeForWriters: max(workers.count / 2, 1)))
    }

    /// Does not suspend, which would cost as much as a small query, if a worker is idle.
    func take(for kind: PostgresConnection.TransactionKind) async -> PostgresWorker {
        if let worker = state.withLock({ $0.take(for: kind) }) { return worker }
        return await withCheckedContinuation { continuation in
            state.withLock { $0.waiting.append((kind, continuation)) }
            assign()
        }
    }

    func giveBack(_ worker: PostgresWorker, after kind: PostgresConnection.TransactionKind) {
        state.withLock { state in
            state.idle.append(worker)
            if kind == .writing { state.freeForWriters += 1 }
        }
        assign()
    }

    private func assign() {
        while let (waiting, worker) = state.withLock({ $0.next() }) {
            waiting.continuation.resume(returning: worker)
        }
    }
}
