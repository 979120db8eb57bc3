import Glibc
import LatchkeyAccounts
import LatchkeySQL

/// Transactions, which are repeated after a conflict or a lost connection.
extension PostgresWorker {
    /// The maximum number of repetitions of a transaction.
    static var repetitions: UInt32 { 5 }

    /// Runs `body` in a transaction, and repeats it if that may help and the deadline is not over.
    func run<Result: Sendable>(
        _ kind: PostgresConnection.TransactionKind, until deadline: ContinuousClock.Instant,
        _ body: (any StoreTransaction) throws(AccountError) -> Result
    ) throws(AccountError) -> Result {
        self.deadline = deadline
        connection?.deadline = deadline
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
                guard error.mayRepeat, repetition < Self.repetitions, .now < deadline else { throw error.error }
            }
            wait(before: repetition)
            repetition += 1
        }
    }

    /// 10, 20, 40, 80, 160 ms, and so on.
    private func wait(before repetition: UInt32) { _ = usleep(10_000 << repetition) }

    /// Whether the server has committed a write although the connection was lost before its response.
    ///
    /// The lock of all writers makes this wait until the server has ended that transaction.
    ///
    /// - Throws: ``PostgresError/outcomeUnknown`` if the server cannot be reached for about 10 s.
    private func hasCommittedLastWrite() throws(Failure) -> Bool {
        connection = nil
        for repetition in 0..<10 as Range<UInt32> where deadline.map({ .now < $0 }) ?? true {
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
            // A body that continues after a failure must not commit half of its changes.
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

    /// The outcome of a transaction whose body returned.
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
