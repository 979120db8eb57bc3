import CPostgres
import Glibc
import LatchkeyAccounts
import LatchkeySQL

/// A connection to one database, used by one thread at a time.
///
/// SQL is static text, so that values cannot become part of it. Each statement is prepared once, and values are sent in
/// binary format. In a write transaction, a statement waits until a result is needed. All that wait are then sent in one
/// batch, which costs one round trip (docs/decisions/0058-batches.md).
@safe
final class PostgresConnection {
    let handle: OpaquePointer
    private var state = State.idle
    /// The time by which the server must have answered; nil for no limit.
    var deadline: ContinuousClock.Instant?
    /// Whether a late response could be mistaken for that of the next statement, because a wait has timed out.
    var isOutOfStep = false
    /// The prepared statements.
    private var statements: [PostgresStatement: PreparedStatement] = [:]
    /// The number of statements that were ever prepared.
    private var statementCount = 0
    /// The statements of the transaction that are not sent yet.
    private var waiting: [PostgresRequest] = []
    /// The results of ``prefetch(_:)`` that no statement has changed since.
    private var fetched: [FetchedKey: FetchedResult] = [:]
    /// The number of batches that were sent.
    private(set) var roundTrips = 0
    /// The lane of the open transaction; nil if it has none.
    var lane: AuditLane?
    var laneClock: Timestamp?
    private var hashCosts: (costs: ClosedRange<Int>, readAt: ContinuousClock.Instant)?

    /// The costs of the hashes in the store if they were read less than a second ago; nil otherwise. They only decide how
    /// long a failed login takes. A login that read them each time would conflict with every sign-up.
    var recentHashCosts: ClosedRange<Int>? {
        get { hashCosts.flatMap { $0.readAt.duration(to: .now) < .seconds(1) ? $0.costs : nil } }
        set { hashCosts = newValue.map { ($0, .now) } }
    }

    /// Connects and blocks the thread meanwhile.
    ///
    /// - Parameter deadline: the limit for the statements; nil for none.
    init(to address: PostgresAddress, until deadline: ContinuousClock.Instant? = nil) throws(PostgresError) {
        if let deadline, deadline <= .now { throw .silent }
        self.deadline = deadline
        guard let handle = unsafe address.connect() else { throw .outOfMemory }
        guard unsafe PQstatus(handle) == CONNECTION_OK else {
            let reason = unsafe PQerrorMessage(handle).flatMap { unsafe String(validatingCString: $0) } ?? ""
            unsafe PQfinish(handle)
            // The reason is one line without the program's name. It never contains a password.
            throw .unreachable(reason: PostgresAddress.line(reason))
        }
        unsafe self.handle = unsafe handle
        // Otherwise, libpq would write notices to standard error.
        _ = unsafe PQsetNoticeReceiver(handle, { _, _ in }, nil)
        // Otherwise, libpq would wait indefinitely for a server that accepts no more bytes.
        _ = unsafe PQsetnonblocking(handle, 1)
        // As long as a stopped process has an open transaction, the server keeps what all others have read since. A
        // sequential scan of a small table counts as a read of all its rows, and conflicts with every writer. Its cost is
        // then so high that the server would compile the queries that have no other way.
        try execute(
            """
            SET lock_timeout = '5s'; SET idle_in_transaction_session_timeout = '5s'; SET client_min_messages = warning;
            SET enable_seqscan = off; SET jit = off
            """)
    }

    deinit { unsafe PQfinish(handle) }

    /// Whether the connection has been lost.
    var isLost: Bool { unsafe isOutOfStep || PQstatus(handle) != CONNECTION_OK }

    // MARK: Statements

    /// Runs a statement without result rows and returns the number of rows it changed.
    @discardableResult
    func run(_ sql: StaticString, values: [PostgresValue]) throws(PostgresError) -> Int {
        try result(of: sql, values).changedCount
    }

    /// Runs a statement whose result is not needed. In a write transaction, it is sent later, in the order of all
    /// statements.
    func write(_ sql: StaticString, values: [PostgresValue]) throws(PostgresError) {
        try write(request(for: .literal(sql), values))
    }

    /// Like ``write(_:values:)``, but the statement must change a row.
    func writeRow(_ sql: StaticString, values: [PostgresValue]) throws(PostgresError) {
        try write(request(for: .changing(sql), values))
    }

    private func write(_ request: PostgresRequest) throws(PostgresError) {
        guard state.mayWrite, waiting.count < Self.largestBatch else {
            _ = try exchange([request])
            return
        }
        waiting.append(request)
    }

    /// The number of statements after which a batch is sent although nothing needs its results.
    private static let largestBatch = 64

    /// Converts all result rows of a statement.
    func rows<Value>(
        _ sql: StaticString, values: [PostgresValue], make: (PostgresRow) throws(PostgresError) -> Value
    ) throws(PostgresError) -> [Value] {
        let result = try result(of: sql, values)
        var made: [Value] = []
        for number in 0..<result.rowCount { made.append(try make(PostgresRow(result: result, number: number))) }
        return made
    }

    /// Converts the first result row of a statement; nil if there is none.
    func row<Value>(
        _ sql: StaticString, values: [PostgresValue], make: (PostgresRow) throws(PostgresError) -> Value
    ) throws(PostgresError) -> Value? {
        let result = try result(of: sql, values)
        return result.rowCount > 0 ? try make(PostgresRow(result: result, number: 0)) : nil
    }

    /// The integer in the first column of a statement's first result row; nil if there is no row.
    func integer(_ sql: StaticString, values: [PostgresValue]) throws(PostgresError) -> Int64? {
        let result = try result(of: sql, values)
        return result.rowCount > 0 ? try PostgresRow(result: result, number: 0).integer(0) : nil
    }

    /// Runs a statement joined from literals.
    func result(joining sql: String, _ values: [PostgresValue]) throws(PostgresError) -> PostgresResult {
        try only(exchange([request(for: .joined(sql), values)]))
    }

    private func result(of sql: StaticString, _ values: [PostgresValue]) throws(PostgresError) -> PostgresResult {
        if !fetched.isEmpty, let known = fetched[FetchedKey(SQLQuery(sql, values: values))] { return known.result }
        return try only(exchange([request(for: .literal(sql), values)]))
    }

    private func only(_ results: [PostgresResult]) throws(PostgresError) -> PostgresResult {
        guard let result = results.first else { throw .disconnected }
        return result
    }

    /// Runs several statements in one round trip, without preparing them.
    func execute(_ sql: StaticString) throws(PostgresError) { try execute(joining: sql.description) }

    /// Runs several statements that are joined from literals, such as the names of a ``StoredTable``.
    func execute(joining sql: String) throws(PostgresError) {
        try sendWaiting()
        try runSimply(joining: sql)
    }

    /// Runs several statements. Calls `mayContinue` every 100 ms, and has the server cancel them when it returns false.
    func execute(_ sql: StaticString, while mayContinue: () -> Bool) throws(PostgresError) {
        try sendWaiting()
        try runSimply(joining: sql.description, while: mayContinue)
    }

    /// Adds rows with a `COPY … FROM STDIN BINARY` statement.
    func copy(_ rows: [[PostgresValue]], by sql: StaticString) throws(PostgresError) {
        try copy(rows, joining: "\(sql)")
    }

    /// Adds rows with a `COPY` statement joined from literals.
    func copy(_ rows: [[PostgresValue]], joining sql: String) throws(PostgresError) {
        guard !rows.isEmpty else { return }
        try sendWaiting()
        try sendCopy(rows, joining: sql)
    }

    // MARK: Batches

    /// Reads rows that the transaction will probably need, in one round trip. A later read of the same row uses the
    /// result, unless a statement has changed the table meanwhile.
    func prefetch(_ queries: [SQLQuery<PostgresValue>]) throws(PostgresError) {
        let queries = queries.filter { fetched[FetchedKey($0)] == nil }
        guard !queries.isEmpty else { return }
        let results = try exchange(queries.map { request(for: .literal($0.sql), $0.values) })
        for (query, result) in zip(queries, results) {
            let words = statements[.literal(query.sql)]?.words ?? []
            fetched[FetchedKey(query)] = FetchedResult(result: result, words: words)
        }
    }

    /// Uses the prefetched result of `query` for `other` too.
    func reuse(_ query: SQLQuery<PostgresValue>, for other: SQLQuery<PostgresValue>) {
        fetched[FetchedKey(other)] = fetched[FetchedKey(query)]
    }

    /// Sends the waiting statements, and these, in one batch and returns the results of these.
    private func exchange(_ requests: [PostgresRequest]) throws(PostgresError) -> [PostgresResult] {
        let batch = waiting + requests
        waiting = []
        roundTrips += 1
        do throws(PostgresError) {
            let results = try results(of: batch)
            if case .beginning(let kind) = state { state = .open(kind) }
            return Array(results.suffix(requests.count))
        } catch {
            forget(batch)
            throw error
        }
    }

    private func sendWaiting() throws(PostgresError) {
        if !waiting.isEmpty { _ = try exchange([]) }
    }

    /// Forgets the statements that the server may not have prepared, because it has skipped them or never got them.
    private func forget(_ requests: [PostgresRequest]) {
        for request in requests where request.isFirst { statements[request.statement] = nil }
    }

    /// A statement with its values, ready to be sent. Drops the prefetched rows that it may change.
    private func request(for key: PostgresStatement, _ values: [PostgresValue]) -> PostgresRequest {
        let known = statements[key]
        let statement = known ?? PreparedStatement(key, number: statementCount)
        if known == nil {
            statementCount += 1
            statements[key] = statement
        }
        if statement.isChange, !fetched.isEmpty {
            fetched = fetched.filter { !statement.mayChange($0.value.words) }
        }
        return PostgresRequest(statement: key, name: statement.name, isFirst: known == nil, values: values)
    }

    // MARK: Transactions

    enum TransactionKind {
        /// Reads a snapshot.
        case reading
        /// Writes while others write. If the server finds that the transactions could not have run one after the other, it
        /// rolls one of them back.
        case writing
        /// Writes while no other transaction writes.
        case alone
        /// Moves audit records into the trail. Only one transaction does so at a time.
        case sealing
    }

    private enum State: Equatable {
        case idle
        /// The transaction begins with its first batch, which saves a round trip.
        case beginning(TransactionKind)
        case open(TransactionKind)
        /// The end of a read transaction has been sent. Its result is only needed before the next transaction.
        case ending

        var mayWrite: Bool {
            switch self {
            case .beginning(let kind), .open(let kind): kind != .reading
            case .idle, .ending: false
            }
        }
    }

    /// Begins a transaction, together with its first statement. The lock comes before the snapshot.
    func begin(_ kind: TransactionKind) throws(PostgresError) {
        try rollBack()
        state = .beginning(kind)
        let beginning: [StaticString] =
            switch kind {
            case .reading: ["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"]
            case .writing:
                ["BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE", "LOCK TABLE store_lock IN ROW SHARE MODE"]
            case .alone:
                ["BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", "LOCK TABLE store_lock IN EXCLUSIVE MODE"]
            case .sealing:
                [
                    "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", "LOCK TABLE store_lock IN ROW SHARE MODE",
                    "SELECT number FROM store FOR UPDATE",
                ]
            }
        waiting = beginning.map { request(for: .literal($0), []) }
    }

    /// Commits the open transaction, together with the statements that wait.
    func commit() throws(PostgresError) {
        if state == .beginning(.reading) { return try rollBack() }
        // A COMMIT after a failed statement would succeed without changing anything.
        if case .open = state, unsafe PQtransactionStatus(handle) != PQTRANS_INTRANS {
            throw isLost ? .disconnected : .server(.failedTransaction)
        }
        fetched = [:]
        if state == .open(.reading), unsafe PQsendQuery(handle, "COMMIT") == 1 {
            state = .ending
            return
        }
        _ = try exchange([request(for: .literal("COMMIT"), [])])
        state = .idle
    }

    /// Rolls back an open transaction.
    func rollBack() throws(PostgresError) {
        if state == .ending { while let result = try unsafe nextResult() { unsafe PQclear(result) } }
        state = .idle
        fetched = [:]
        forget(waiting)
        waiting = []
        if unsafe PQtransactionStatus(handle) != PQTRANS_IDLE { try execute("ROLLBACK") }
    }
}

/// What a prefetched result answers: a statement with its values.
private struct FetchedKey: Hashable {
    let statement: PostgresStatement
    let values: [UInt8]

    init(_ query: SQLQuery<PostgresValue>) {
        statement = .literal(query.sql)
        var bytes: [UInt8] = []
        for value in query.values { value.appendField(to: &bytes) }
        values = bytes
    }
}

private struct FetchedResult {
    let result: PostgresResult
    /// The words of the statement, which include the names of its tables.
    let words: Set<Substring>
}
