public import LatchkeyAccounts
import LatchkeySecrets
import LatchkeySystem

/// An ``AccountStore`` in a PostgreSQL database (version 15 or newer), with several connections.
///
/// Other processes on other machines may use the same database. A writer first locks one row and waits up to 5 s for it,
/// so that writers follow one another as in an SQLite store. Readers never wait for writers.
public final class PostgresAccountStore: AccountStore {
    private let pool: PostgresPool

    /// Opens the store in a database.
    ///
    /// - Parameters:
    ///   - address: a `postgresql://` URL, or keywords and values, as libpq reads them. Missing values come from libpq's
    ///     environment variables, service file and password file. Without an `sslmode`, a server on another machine must
    ///     have a valid certificate for its name (`verify-full`).
    ///   - create: whether to create the tables if the database has none.
    ///   - connections: how many transactions can run at once; at least 1. All but the first connect when needed.
    /// - Throws: ``AccountError/store(_:)``, with ``StoreError/missing`` if there are no tables and `create` is false;
    ///   ``AccountError/noRandomness`` if a new store gets no ID.
    public static func open(
        _ address: String, create: Bool = false, connections: Int = 8
    ) async throws(AccountError) -> PostgresAccountStore {
        try await open(address, create: create, connections: connections, random: .system)
    }

    static func open(
        _ address: String, create: Bool, connections: Int, random: RandomSource
    ) async throws(AccountError) -> PostgresAccountStore {
        guard let address = PostgresAddress(address) else { throw .store(.missing) }
        var workers: [PostgresWorker] = []
        for _ in 0..<max(connections, 1) {
            do throws(SystemError) {
                workers.append(PostgresWorker(for: address, on: try SerialThread()))
            } catch {
                throw .store(.outOfMemory)
            }
        }
        try await workers[0].open(create: create, random: random)
        return PostgresAccountStore(pool: PostgresPool(workers))
    }

    private init(pool: PostgresPool) { self.pool = pool }

    /// Runs `body` in a writing transaction.
    ///
    /// Repeats it, at most 5 times, if the database undid it because of another one or the connection was lost before the
    /// commit.
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
        let worker = await pool.take()
        do throws(AccountError) {
            let result = try await worker.run(kind, body)
            await pool.giveBack(worker)
            return result
        } catch {
            await pool.giveBack(worker)
            throw error
        }
    }
}

/// The workers that wait for a transaction, and the transactions that wait for a worker.
private actor PostgresPool {
    private var idle: [PostgresWorker]
    private var waiting: [CheckedContinuation<PostgresWorker, Never>] = []

    init(_ workers: [PostgresWorker]) { idle = workers.reversed() }

    func take() async -> PostgresWorker {
        if let worker = idle.popLast() { return worker }
        return await withCheckedContinuation { waiting.append($0) }
    }

    func giveBack(_ worker: PostgresWorker) {
        if waiting.isEmpty { idle.append(worker) } else { waiting.removeFirst().resume(returning: worker) }
    }
}
