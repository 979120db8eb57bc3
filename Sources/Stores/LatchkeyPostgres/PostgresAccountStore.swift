public import LatchkeyAccounts
import LatchkeySecrets
import LatchkeySystem

/// An `AccountStore` in a PostgreSQL database (version 15 or newer), with several connections.
///
/// Other processes on other machines may use the same database. Transactions are serializable: they have the same effect as
/// one after the other. The server rolls one of two transactions back that would not, and the store repeats it. Readers
/// never wait for writers.
public final class PostgresAccountStore: AccountStore {
    /// The store's ID and the tag of its key.
    public let identity: StoreIdentity
    private let pool: PostgresPool
    private let retries: PostgresRetries

    /// Opens the store in a database.
    ///
    /// - Parameters:
    ///   - address: a `postgresql://` URL, or keywords and values, as libpq reads them. Missing values come from
    ///     libpq's environment variables, service file and password file. Without an `sslmode`, a server must
    ///     have a valid certificate for its name (`verify-full`), except on a Unix socket or a loopback address.
    ///   - new: what a new store gets; nil to create none. If the database has a store already, or another process
    ///     creates one first, that store is opened.
    ///   - connections: how many transactions can run at once; at least 1. All but the first connect when needed.
    /// - Throws: `AccountError.store(_:)`, with `StoreError.missing` if there are no tables and `new` is nil;
    ///   `AccountError.noRandomness` if no random ID for a connection is available.
    public static func open(
        _ address: String, creating new: StoreIdentity? = nil, connections: Int = 16
    ) async throws(AccountError) -> PostgresAccountStore {
        let read: PostgresAddress
        do throws(PostgresError) { read = try PostgresAddress(address) } catch { throw error.accountError }
        let retries = PostgresRetries()
        var workers: [PostgresWorker] = []
        for _ in 0..<max(connections, 1) {
            let (thread, id): (SerialThread, [UInt8])
            do throws(SystemError) { thread = try SerialThread() } catch { throw .store(.outOfMemory) }
            do throws(RandomSource.Unavailable) { id = try RandomSource.system.bytes(16) } catch {
                throw .noRandomness
            }
            workers.append(PostgresWorker(for: read, id: id, on: thread, counting: retries))
        }
        let identity = try await workers[0].open(creating: new)
        return PostgresAccountStore(identity: identity, pool: PostgresPool(workers), retries: retries)
    }

    /// Migrates the store in a database to the newest schema in one transaction. Blocks the thread. Stop the services
    /// first.
    ///
    /// Waits at most 5 s for a transaction of another process.
    ///
    /// - Parameters:
    ///   - key: reads the store's key, which only some migrations need.
    ///   - mayContinue: called every 100 ms and after each statement, with the number of completed statements and the
    ///     total. If it returns false, the store does not change, and the call throws `StoreError.refused(state:)`
    ///     with 57014 (`query_canceled`).
    ///   - address: the address of the database.
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

    private init(identity: StoreIdentity, pool: PostgresPool, retries: PostgresRetries) {
        self.identity = identity
        self.pool = pool
        self.retries = retries
    }

    /// Runs `body` in a write transaction.
    ///
    /// Repeats it for up to 5 s if the database rolled it back because of another transaction, at last without any other
    /// writer, and up to 5 times if the connection was lost. If the connection was lost during the commit, it first
    /// determines whether the database has committed.
    ///
    /// - Throws: in addition, `StoreError.failed(resultCode:)` with SQLSTATE 08007 if this cannot be determined
    ///   within about 10 s.
    public func write<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        try await write(about: [], body)
    }

    /// Runs `body` in a write transaction, after those of this store that are about one of these rows.
    public func write<Result: Sendable>(
        about rows: [ExpectedRow], _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        try await run(.writing, about: Set(rows), body)
    }

    /// Runs `body` in a transaction that excludes other ones of its kind, but no writer.
    public func seal<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        try await run(.sealing, body)
    }

    /// False: each connection writes its audit records to its lane.
    public var sealsAtOnce: Bool { false }

    /// The repeated transactions since the store was opened.
    public var activity: StoreActivity? { retries.activity }

    /// Runs `body` on a snapshot, with retries as in ``write(_:)``.
    public func read<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        try await run(.reading, body)
    }

    /// The number of times that the store has waited for the server, without those to connect.
    package var roundTrips: Int {
        get async {
            var count = 0
            for worker in pool.workers { count += await worker.roundTrips }
            return count
        }
    }

    private func run<Result: Sendable>(
        _ kind: PostgresConnection.TransactionKind, about rows: Set<ExpectedRow> = [],
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        let start = ContinuousClock.now
        let patience = StorePatience.current
        defer { patience?.spend(start.duration(to: .now)) }
        let deadline = start + (patience?.rest ?? StorePatience.limit)
        let work = PostgresPool.Work(isWrite: kind != .reading, rows: rows)
        guard let worker = await pool.take(for: work, until: deadline) else { throw PostgresError.silent.accountError }
        do throws(AccountError) {
            let result = try await worker.run(kind, until: deadline, body)
            pool.giveBack(worker, after: work)
            return result
        } catch {
            pool.giveBack(worker, after: work)
            throw error
        }
    }
}

/// Assigns idle workers to transactions, and queues transactions while no worker is idle.
///
/// Writers use at most three quarters of the workers, so that readers need not wait for them. Of the transactions about the
/// same row, only one has a worker at a time: the server would roll all but one of them back, and an attacked name could
/// occupy all workers.
private final class PostgresPool: Sendable {
    /// What a transaction needs.
    struct Work: Sendable {
        let isWrite: Bool
        /// The rows that other transactions may change at the same time.
        let rows: Set<ExpectedRow>
    }

    private struct Waiting: Sendable {
        let work: Work
        let deadline: ContinuousClock.Instant
        let continuation: CheckedContinuation<PostgresWorker?, Never>
    }

    private struct State: Sendable {
        var idle: [PostgresWorker]
        var freeForWriters: Int
        /// The rows of the transactions that have a worker.
        var busy: Set<ExpectedRow> = []
        /// The waiting callers, in order of arrival.
        var waiting: [Waiting] = []
        /// Whether a task looks for overdue callers.
        var isWatched = false

        /// Takes a worker for a transaction that came after those that wait for one of its rows.
        mutating func take(for work: Work) -> PostgresWorker? {
            guard mayStart(work), work.rows.isEmpty || waiting.allSatisfy({ $0.work.rows.isDisjoint(with: work.rows) })
            else { return nil }
            return start(work)
        }

        private func mayStart(_ work: Work) -> Bool {
            !idle.isEmpty && (!work.isWrite || freeForWriters > 0) && busy.isDisjoint(with: work.rows)
        }

        private mutating func start(_ work: Work) -> PostgresWorker {
            if work.isWrite { freeForWriters -= 1 }
            busy.formUnion(work.rows)
            return idle.removeLast()
        }

        /// Takes a worker for the first waiting transaction that may have one.
        mutating func next() -> (Waiting, PostgresWorker)? {
            var wanted: Set<ExpectedRow> = []
            for (place, caller) in waiting.enumerated() {
                if mayStart(caller.work), wanted.isDisjoint(with: caller.work.rows) {
                    return (waiting.remove(at: place), start(caller.work))
                }
                wanted.formUnion(caller.work.rows)
            }
            return nil
        }

        mutating func giveBack(_ worker: PostgresWorker, after work: Work) {
            idle.append(worker)
            if work.isWrite { freeForWriters += 1 }
            busy.subtract(work.rows)
        }
    }

    let workers: [PostgresWorker]
    private let state: Locked<State>

    init(_ workers: [PostgresWorker]) {
        self.workers = workers
        state = Locked(State(idle: workers.reversed(), freeForWriters: max(workers.count * 3 / 4, 1)))
    }

    /// Does not suspend, which would cost as much as a small query, if a worker is idle. Nil if none is at the deadline.
    func take(for work: Work, until deadline: ContinuousClock.Instant) async -> PostgresWorker? {
        if let worker = state.withLock({ $0.take(for: work) }) { return worker }
        return await withCheckedContinuation { continuation in
            let isWatched = state.withLock { state in
                state.waiting.append(Waiting(work: work, deadline: deadline, continuation: continuation))
                defer { state.isWatched = true }
                return state.isWatched
            }
            if !isWatched { watch() }
            assign()
        }
    }

    /// Ends overdue waits, for as long as there are any.
    private func watch() {
        Task {
            var isDone = false
            while !isDone {
                try? await Task.sleep(for: .milliseconds(500))
                let now = ContinuousClock.now
                let overdue = state.withLock { state in
                    let overdue = state.waiting.filter { $0.deadline <= now }
                    state.waiting.removeAll { $0.deadline <= now }
                    isDone = state.waiting.isEmpty
                    if isDone { state.isWatched = false }
                    return overdue
                }
                for waiting in overdue { waiting.continuation.resume(returning: nil) }
            }
        }
    }

    func giveBack(_ worker: PostgresWorker, after work: Work) {
        state.withLock { $0.giveBack(worker, after: work) }
        assign()
    }

    private func assign() {
        while let (waiting, worker) = state.withLock({ $0.next() }) {
            waiting.continuation.resume(returning: worker)
        }
    }
}
