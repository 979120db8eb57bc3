import Glibc
import LatchkeyAccounts
import LatchkeySQL
import LatchkeySystem

/// A connection on a separate thread, because libpq blocks. It connects at its first use, and again after the
/// connection is lost.
actor PostgresWorker {
    private let address: PostgresAddress
    /// Identifies this worker in the table `writer`. Random, 16 bytes.
    let id: [UInt8]
    /// The lane that this worker holds; nil before its first write.
    var lane: WriterLane?
    let retries: PostgresRetries
    private nonisolated let thread: SerialThread
    var connection: PostgresConnection?
    /// The number of batches that the open connection has sent.
    var roundTrips: Int { connection?.roundTrips ?? 0 }
    /// The time by which the current transaction must end.
    var deadline: ContinuousClock.Instant?

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    /// - Parameter id: 16 random bytes.
    init(for address: PostgresAddress, id: [UInt8], on thread: SerialThread, counting retries: PostgresRetries) {
        self.address = address
        self.id = id
        self.retries = retries
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

    /// The connection, which is opened now if there is none.
    func connected() throws(PostgresError) -> PostgresConnection {
        if let connection { return connection }
        let new = try PostgresConnection(to: address, until: deadline)
        connection = new
        return new
    }
}
