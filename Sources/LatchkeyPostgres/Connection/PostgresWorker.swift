import Glibc
import LatchkeyAccounts
import LatchkeySecrets
import LatchkeySystem

/// One connection on a thread of its own, because libpq blocks. It connects when it is first used, and again after it is
/// lost.
actor PostgresWorker {
    /// How often a transaction is repeated.
    static let repetitions: UInt32 = 5

    private let address: PostgresAddress
    private nonisolated let thread: SerialThread
    private var connection: PostgresConnection?

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    init(for address: PostgresAddress, on thread: SerialThread) {
        self.address = address
        self.thread = thread
    }

    /// Checks that the database is a store of the newest schema. Creates one if there is none and `create` is true.
    func open(create: Bool, random: RandomSource) throws(AccountError) {
        do throws(PostgresError) {
            let connection = try connected()
            if try PostgresSchema.number(in: connection) == nil {
                guard create else { throw PostgresError.refused(.missing) }
                try PostgresSchema.create(in: connection, random: random)
            }
            switch try PostgresSchema.number(in: connection) {
            case nil: throw PostgresError.refused(.missing)
            case PostgresSchema.newest?: break
            case let schema?:
                let isOlder = schema < PostgresSchema.newest
                throw PostgresError.refused(isOlder ? .older(schema: schema) : .newer(schema: schema))
            }
        } catch {
            connection = nil
            throw error.accountError
        }
    }

    /// Runs `body` in a transaction, and again if that may help.
    func run<Result: Sendable>(
        _ kind: PostgresConnection.TransactionKind,
        _ body: (any StoreTransaction) throws(AccountError) -> Result
    ) throws(AccountError) -> Result {
        var repetition: UInt32 = 0
        while true {
            do throws(Failure) {
                return try attempt(kind, body)
            } catch {
                if connection?.isLost == true { connection = nil }
                guard error.mayRepeat, repetition < Self.repetitions else { throw error.error }
                // 10, 20, 40, 80, 160 ms.
                _ = usleep(10_000 << repetition)
                repetition += 1
            }
        }
    }

    private func attempt<Result: Sendable>(
        _ kind: PostgresConnection.TransactionKind,
        _ body: (any StoreTransaction) throws(AccountError) -> Result
    ) throws(Failure) -> Result {
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
        } catch {
            try? connection.rollBack()
            throw Failure(error: error, mayRepeat: transaction.interruption?.mayRepeat == true)
        }
        do throws(PostgresError) {
            try connection.commit()
        } catch {
            try? connection.rollBack()
            // Whether the server has committed is unknown.
            throw Failure(error.isDisconnection && kind == .writing ? .outcomeUnknown : error)
        }
        return result
    }

    /// The connection, made now if there is none.
    private func connected() throws(PostgresError) -> PostgresConnection {
        if let connection { return connection }
        let new = try PostgresConnection(to: address)
        connection = new
        return new
    }

    /// Why a transaction did not commit.
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
