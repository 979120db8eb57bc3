import Glibc
import LatchkeyAccounts
import LatchkeySQL
import LatchkeySystem

/// A connection on a separate thread, because libpq blocks. It connects at its first use, and again after the
/// connection is lost.
actor PostgresWorker {
    /// The maximum number of retries of a transaction.
    static let repetitions: UInt32 = 5

    private let address: PostgresAddress
    /// The worker's ID in the table `writer`: 16 random bytes.
    private let id: [UInt8]
    /// The number of the last write that this worker has tried to commit.
    private var lastWrite: Int64 = 0
    private nonisolated let thread: SerialThread
    private var connection: PostgresConnection?

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    /// - Parameter id: 16 random bytes.
    init(for address: PostgresAddress, id: [UInt8], on thread: SerialThread) {
        self.address = address
        self.id = id
        self.thread = thread
    }

    /// Checks that the database contains a store with the newest schema. If there is no store, creates `new`, unless
    /// that is nil.
    func open(creating new: StoreIdentity?) throws(AccountError) -> StoreIdentity {
        do throws(PostgresError) {
            let connection = try connected()
            if try PostgresSchema.number(in: connection) == nil, let new {
                try PostgresSchema.create(new, in: connection)
            }
            try PostgresSchema.check(connection)
            return try PostgresSchema.identity(in: connection)
        } catch {
            connection = nil
            throw error.accountError
        }
    }

    /// Runs `body` in a transaction, and retries it if that may help.
    func run<Result: Sendable>(
        _ kind: PostgresConnection.TransactionKind,
        _ body: (any StoreTransaction) throws(AccountError) -> Result
    ) throws(AccountError) -> Result {
        var repetition: UInt32 = 0
        while true {
            do throws(Failure) {
                switch try attempt(kind, body) {
                case .committed(let result): return result
                case .unknown(let result): if try hasCommittedLastWrite() { return result }
                }
                guard repetition < Self.repetitions else { throw Failure(.disconnected) }
            } catch {
                if connection?.isLost == true { connection = nil }
                guard error.mayRepeat, repetition < Self.repetitions else { throw error.error }
            }
            wait(before: repetition)
            repetition += 1
        }
    }

    /// Waits before a retry: 10, 20, 40, 80, 160 ms, and so on.
    private func wait(before repetition: UInt32) { _ = usleep(10_000 << repetition) }

    /// After the connection was lost, whether the server has committed the last write.
    ///
    /// This waits for the lock of all writers, which the server releases when that transaction has ended.
    ///
    /// - Throws: ``PostgresError/outcomeUnknown`` if the server is unreachable for about 10 s.
    private func hasCommittedLastWrite() throws(Failure) -> Bool {
        connection = nil
        for repetition in 0..<10 as Range<UInt32> {
            do throws(PostgresError) {
                let connection = try connected()
                try connection.begin(.writing)
                let found = try connection.integer("SELECT last_write FROM writer WHERE id = $1", .bytes(id))
                try connection.rollBack()
                return found == lastWrite
            } catch {
                connection = nil
                wait(before: repetition)
            }
        }
        throw Failure(.outcomeUnknown)
    }

    private func attempt<Result: Sendable>(
        _ kind: PostgresConnection.TransactionKind,
        _ body: (any StoreTransaction) throws(AccountError) -> Result
    ) throws(Failure) -> Outcome<Result> {
        let connection: PostgresConnection
        do throws(PostgresError) {
            connection = try connected()
            try connection.begin(kind)
        } catch {
            throw Failure(error)
        }
        let transaction = PostgresTransaction(on: connection, mayWrite: kind == .writing)
        let result: Result
        do throws(AccountError) {
            result = try body(transaction)
            try transaction.finish()
            // If the body continues after a failure, only a part of its changes would be committed.
            if let failure = transaction.failure { throw .store(failure) }
            if kind == .writing { try transaction.number(lastWrite + 1, of: id) }
        } catch {
            try? connection.rollBack()
            throw Failure(error: error, mayRepeat: transaction.engineFailure?.mayRepeat == true)
        }
        if kind == .writing { lastWrite += 1 }
        do throws(PostgresError) {
            try connection.commit()
        } catch {
            if kind == .writing, error.isDisconnection { return .unknown(result) }
            try? connection.rollBack()
            throw Failure(error)
        }
        return .committed(result)
    }

    /// The connection, which is opened if there is none.
    private func connected() throws(PostgresError) -> PostgresConnection {
        if let connection { return connection }
        let new = try PostgresConnection(to: address)
        connection = new
        return new
    }

    /// The outcome of a transaction after its body has returned.
    private enum Outcome<Result> {
        case committed(Result)
        /// The connection was lost during the commit.
        case unknown(Result)
    }

    /// The reason why a transaction did not commit.
    private struct Failure: Error {
        let error: AccountError
        let mayRepeat: Bool

        init(error: AccountError, mayRepeat: Bool) {
            self.error = error
            self.mayRepeat = mayRepeat
        }

        init(_ error: PostgresError) { self.init(error: error.accountError, mayRepeat: error.mayRepeat) }
    }
}
