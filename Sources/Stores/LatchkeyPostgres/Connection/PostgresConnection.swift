import CPostgres
import Glibc

/// A connection to one database, used by one thread at a time.
///
/// SQL is static text, so that values cannot become part of it. Each statement is prepared once, and values are sent in
/// binary format.
@safe
final class PostgresConnection {
    private let handle: OpaquePointer
    private var state = State.idle
    /// The time by which the server must have answered; nil for no limit.
    var deadline: ContinuousClock.Instant?
    /// Whether a wait has timed out. A late response could be mistaken for that of the next statement.
    private var isSilent = false
    /// The names of the prepared statements, by the address of their text.
    private var statements: [UInt: String] = [:]
    /// The names of the prepared statements that were joined from literals, by their SQL.
    private var joinedStatements: [String: String] = [:]

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
        // A process that is stopped during a transaction must not hold the lock that all writers need.
        try execute(
            """
            SET lock_timeout = '5s'; SET idle_in_transaction_session_timeout = '30s'; SET client_min_messages = warning
            """)
    }

    deinit { unsafe PQfinish(handle) }

    /// Whether the connection has been lost.
    var isLost: Bool { unsafe isSilent || PQstatus(handle) != CONNECTION_OK }

    // MARK: Statements

    /// Runs a statement without result rows and returns the number of rows it changed.
    @discardableResult
    func run(_ sql: StaticString, values: [PostgresValue]) throws(PostgresError) -> Int {
        try result(of: sql, values).changedCount
    }

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

    /// Runs several statements in one round trip, without preparing them.
    func execute(_ sql: StaticString) throws(PostgresError) {
        let code = unsafe sql.utf8Start.withMemoryRebound(to: CChar.self, capacity: sql.utf8CodeUnitCount + 1) {
            unsafe PQsendQuery(handle, $0)
        }
        try sent(code)
        try takeResults {}
    }

    /// Checks what libpq returned for the sending of a statement.
    private func sent(_ code: Int32) throws(PostgresError) {
        guard code == 1 else { throw isLost ? .disconnected : .outOfMemory }
    }

    // MARK: Waiting

    /// Waits until libpq has sent everything, at most until the deadline.
    private func flush() throws(PostgresError) { try whenWritable(pending: 1) { unsafe PQflush(handle) } }

    /// The next result, for which it waits; nil after the last one of a statement.
    private func nextResult() throws(PostgresError) -> OpaquePointer? {
        try flush()
        while unsafe PQisBusy(handle) == 1 {
            try wait(for: POLLIN)
            guard unsafe PQconsumeInput(handle) == 1 else { throw .disconnected }
        }
        return unsafe PQgetResult(handle)
    }

    /// Waits until the socket is ready, or throws at the deadline. libpq itself would wait indefinitely.
    private func wait(for events: Int32) throws(PostgresError) {
        var answer = unsafe pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
        let left = deadline.map { ContinuousClock.now.duration(to: $0) / .milliseconds(1) }
        let count = unsafe poll(&answer, 1, left.map { Int32(max($0, 0).rounded(.up)) } ?? -1)
        guard count == 0 else { return }
        isSilent = true
        throw .silent
    }

    /// Runs several statements. Calls `mayContinue` every 100 ms, and has the server cancel them when it returns false.
    func execute(_ sql: StaticString, while mayContinue: () -> Bool) throws(PostgresError) {
        try unsafe sent(PQsendQuery(handle, sql.description))
        try flush()
        var isCanceled = false
        try takeResults { () throws(PostgresError) in
            while unsafe PQisBusy(handle) == 1 {
                var answer = unsafe pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
                _ = unsafe poll(&answer, 1, 100)
                guard unsafe PQconsumeInput(handle) == 1 else { throw .disconnected }
                if !isCanceled, !mayContinue() {
                    isCanceled = true
                    cancel()
                }
            }
        }
    }

    /// Asks the server to cancel the running statement.
    private func cancel() {
        let request = unsafe PQgetCancel(handle)
        var reason = [CChar](repeating: 0, count: 256)
        _ = unsafe PQcancel(request, &reason, 256)
        unsafe PQfreeCancel(request)
    }

    /// Runs several statements that are joined from literals, such as the names of a ``StoredTable``.
    func execute(joining sql: String) throws(PostgresError) {
        try unsafe sent(PQsendQuery(handle, sql))
        try takeResults {}
    }

    /// Runs a statement joined from literals.
    func result(joining sql: String, _ values: [PostgresValue]) throws(PostgresError) -> PostgresResult {
        if let known = joinedStatements[sql] { return try result(named: known, values) }
        let name = "j\(joinedStatements.count)"
        try unsafe prepared(sent: PQsendPrepare(handle, name, sql, 0, nil))
        joinedStatements[sql] = name
        return try result(named: name, values)
    }

    /// Adds rows with a `COPY … FROM STDIN BINARY` statement.
    func copy(_ rows: [[PostgresValue]], by sql: StaticString) throws(PostgresError) {
        try copy(rows, joining: "\(sql)")
    }

    /// Adds rows with a `COPY` statement joined from literals.
    func copy(_ rows: [[PostgresValue]], joining sql: String) throws(PostgresError) {
        guard !rows.isEmpty else { return }
        try unsafe sent(PQsendQuery(handle, sql))
        try unsafe start(copy: nextResult())
        // The header: signature, flags and the length of an extension (PostgreSQL manual, COPY, "Binary Format").
        var bytes: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
        for row in rows {
            bytes.append(bigEndian: Int16(row.count))
            for value in row { value.appendField(to: &bytes) }
            if bytes.count > 1 << 16 { try send(&bytes) }
        }
        bytes.append(bigEndian: Int16(-1))
        try send(&bytes)
        try whenWritable(pending: 0) { unsafe PQputCopyEnd(handle, nil) }
        try takeResults {}
    }

    /// Receives all results of the statements that were sent.
    ///
    /// - Parameter wait: called before each result.
    private func takeResults(_ wait: () throws(PostgresError) -> Void) throws(PostgresError) {
        var failure: PostgresError?
        while true {
            try wait()
            // The last result is followed by none.
            guard let result = try unsafe nextResult() else { break }
            do throws(PostgresError) { _ = try unsafe checked(result) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    private func start(copy result: OpaquePointer?) throws(PostgresError) {
        guard let result = unsafe result else { throw isLost ? .disconnected : .outOfMemory }
        let owned = unsafe PostgresResult(taking: result)
        guard owned.startsCopy else {
            // libpq accepts no other statement before the last result.
            while let more = try unsafe nextResult() { unsafe PQclear(more) }
            throw isLost ? .disconnected : owned.failure ?? .corrupt
        }
    }

    private func send(_ bytes: inout [UInt8]) throws(PostgresError) {
        let copy = bytes
        try whenWritable(pending: 0) {
            unsafe copy.withUnsafeBytes { bytes in
                unsafe PQputCopyData(
                    handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count))
            }
        }
        bytes.removeAll(keepingCapacity: true)
    }

    /// Repeats `body` while the send buffer is full.
    ///
    /// - Parameter pending: the result of `body` if the buffer is full. A negative result is a failure.
    private func whenWritable(pending: Int32, _ body: () -> Int32) throws(PostgresError) {
        while true {
            let code = body()
            guard code >= 0 else { throw .disconnected }
            guard code == pending else { return }
            try wait(for: POLLIN | POLLOUT)
            guard unsafe PQconsumeInput(handle) == 1 else { throw .disconnected }
        }
    }

    private func result(of sql: StaticString, _ values: [PostgresValue]) throws(PostgresError) -> PostgresResult {
        try result(named: try prepare(sql), values)
    }

    private func result(named name: String, _ values: [PostgresValue]) throws(PostgresError) -> PostgresResult {
        var bytes: [UInt8] = []
        var starts: [Int?] = []
        var lengths: [Int32] = []
        for value in values {
            let start = bytes.count
            starts.append(value.append(to: &bytes) ? start : nil)
            lengths.append(Int32(clamping: bytes.count - start))
        }
        // An empty value needs a non-null pointer, because a null pointer means NULL.
        bytes.append(0)
        let formats = [Int32](repeating: 1, count: values.count)
        let code = unsafe bytes.withUnsafeBytes { storage in
            let first = unsafe storage.baseAddress?.assumingMemoryBound(to: CChar.self)
            let places: [UnsafePointer<CChar>?] = unsafe starts.map { start in
                guard let start else { return nil }
                return unsafe first?.advanced(by: start)
            }
            let count = Int32(values.count)
            return send(inPipeline: state == .beginning) {
                unsafe PQsendQueryPrepared(handle, name, count, places, lengths, formats, 1)
            }
        }
        guard state == .beginning else {
            try sent(code)
            return try unsafe checked(takeResult())
        }
        state = .reading
        return try unsafe checked(resultAfterBegin(sent: code))
    }

    /// Sends a statement; in a pipeline, it first begins a reading transaction, which saves a round trip.
    ///
    /// - Parameter body: sends the statement, and returns 1 if it did.
    private func send(inPipeline isFirst: Bool, _ body: () -> Int32) -> Int32 {
        guard isFirst else { return body() }
        let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        guard unsafe PQenterPipelineMode(handle) == 1,
            unsafe PQsendQueryParams(handle, begin, 0, nil, nil, nil, nil, 0) == 1, body() == 1
        else { return 0 }
        return unsafe PQpipelineSync(handle)
    }

    /// The result of the statement that was sent after `BEGIN`.
    private func resultAfterBegin(sent code: Int32) throws(PostgresError) -> OpaquePointer? {
        defer { _ = unsafe PQexitPipelineMode(handle) }
        guard code == 1 else { return nil }
        // A null pointer follows the results of each statement, and the end of the pipeline has a result too.
        let first = try unsafe takeResult()
        let second: OpaquePointer?
        do throws(PostgresError) {
            unsafe second = try unsafe takeResult()
            unsafe PQclear(try unsafe nextResult())
        } catch {
            unsafe PQclear(first)
            throw error
        }
        // If the transaction did not begin, the server has skipped the statement.
        guard unsafe PQresultStatus(first) == PGRES_COMMAND_OK else {
            unsafe PQclear(second)
            return unsafe first
        }
        unsafe PQclear(first)
        return unsafe second
    }

    /// The result of the next statement.
    private func takeResult() throws(PostgresError) -> OpaquePointer? {
        guard let result = try unsafe nextResult() else { return nil }
        do throws(PostgresError) {
            while let more = try unsafe nextResult() { unsafe PQclear(more) }
        } catch {
            unsafe PQclear(result)
            throw error
        }
        return unsafe result
    }

    /// Waits until the server has prepared a statement.
    private func prepared(sent code: Int32) throws(PostgresError) {
        try sent(code)
        _ = try unsafe checked(takeResult())
    }

    private func prepare(_ sql: StaticString) throws(PostgresError) -> String {
        // The key is the literal's address: it never changes and hashes faster than the text.
        let key = UInt(bitPattern: unsafe sql.utf8Start)
        if let known = statements[key] { return known }
        let name = "s\(statements.count)"
        // The parameters of shared statements are ?1, ?2 and so on. The statements contain no other question marks.
        let text = String(sql.description.map { $0 == "?" ? "$" : $0 })
        try unsafe prepared(sent: PQsendPrepare(handle, name, text, 0, nil))
        statements[key] = name
        return name
    }

    private func checked(_ result: OpaquePointer?) throws(PostgresError) -> PostgresResult {
        guard let result = unsafe result else { throw isLost ? .disconnected : .outOfMemory }
        let owned = unsafe PostgresResult(taking: result)
        guard let failure = owned.failure else { return owned }
        throw isLost ? .disconnected : failure
    }

    // MARK: Transactions

    enum TransactionKind { case reading, writing }

    private enum State {
        case idle
        /// A read transaction that begins together with its first statement, which saves a round trip.
        case beginning
        case reading
        case writing
        /// The end of a read transaction has been sent. Its result is only needed before the next transaction.
        case ending
    }

    /// Begins a transaction. A write transaction first waits until it excludes all other writers, and then sees
    /// everything that they committed.
    func begin(_ kind: TransactionKind) throws(PostgresError) {
        try rollBack()
        switch kind {
        case .reading: state = .beginning
        case .writing:
            state = .writing
            try execute("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SELECT number FROM store_lock FOR UPDATE")
        }
    }

    /// Commits the open transaction.
    func commit() throws(PostgresError) {
        if state == .beginning {
            state = .idle
            return
        }
        // A COMMIT after a failed statement would succeed without changing anything.
        guard unsafe PQtransactionStatus(handle) == PQTRANS_INTRANS else {
            throw isLost ? .disconnected : .server(.failedTransaction)
        }
        if state == .reading, unsafe PQsendQuery(handle, "COMMIT") == 1 {
            state = .ending
            return
        }
        try execute("COMMIT")
        state = .idle
    }

    /// Rolls back an open transaction.
    func rollBack() throws(PostgresError) {
        if state == .ending { while let result = try unsafe nextResult() { unsafe PQclear(result) } }
        state = .idle
        if unsafe PQtransactionStatus(handle) != PQTRANS_IDLE { try execute("ROLLBACK") }
    }
}
