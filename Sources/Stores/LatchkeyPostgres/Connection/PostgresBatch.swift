import CPostgres
import Glibc

/// A statement of a connection, which the server prepares once.
enum PostgresStatement: Hashable {
    case literal(StaticString)
    /// A literal that inserts rows and must insert one. If it does not, it fails with ``SQLState/divisionByZero``, so
    /// that the server skips the rest of the batch.
    case changing(StaticString)
    /// SQL that was joined from literals.
    case joined(String)

    /// The SQL, with parameters in PostgreSQL's format.
    var sql: String {
        switch self {
        case .literal(let literal): Self.numbered(literal)
        case .changing(let literal):
            "WITH changed AS (\(Self.numbered(literal)) RETURNING 1) SELECT 1 / count(*) FROM changed"
        case .joined(let text): text
        }
    }

    /// The parameters of shared statements are ?1, ?2 and so on. The statements contain no other question marks.
    private static func numbered(_ literal: StaticString) -> String {
        String(literal.description.map { $0 == "?" ? "$" : $0 })
    }

    // A literal is compared by its address, which never changes and hashes faster than its text.

    static func == (left: PostgresStatement, right: PostgresStatement) -> Bool {
        switch (left, right) {
        case (.literal(let left), .literal(let right)), (.changing(let left), .changing(let right)):
            unsafe left.utf8Start == right.utf8Start
        case (.joined(let left), .joined(let right)): left == right
        case (.literal, _), (.changing, _), (.joined, _): false
        }
    }

    func hash(into hasher: inout Hasher) {
        switch self {
        case .literal(let literal):
            hasher.combine(UInt(bitPattern: unsafe literal.utf8Start))
        case .changing(let literal):
            hasher.combine(1)
            hasher.combine(UInt(bitPattern: unsafe literal.utf8Start))
        case .joined(let text): hasher.combine(text)
        }
    }
}

/// A statement that the server has prepared, or prepares with the next batch.
struct PreparedStatement {
    let name: String
    /// The words of the statement. They include the names of its tables.
    let words: Set<Substring>
    /// The table that the statement changes; nil if it only reads.
    private let changedTable: Substring?

    init(_ statement: PostgresStatement, number: Int) {
        name = "s\(number)"
        let words = statement.sql.split { !($0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_") }
        self.words = words.reduce(into: []) { $0.formUnion(Self.viewed[$1] ?? [$1]) }
        // An upsert names its table only once, at the beginning.
        let verb = words.firstIndex { ["INSERT", "DELETE", "UPDATE"].contains($0) }
        changedTable = verb.flatMap { words.dropFirst($0 + (words[$0] == "UPDATE" ? 1 : 2)).first }
    }

    /// Whether the statement may change what a statement with these words has read.
    func mayChange(_ words: Set<Substring>) -> Bool { changedTable.map(words.contains) ?? false }

    /// Whether the statement changes rows.
    var isChange: Bool { changedTable != nil }

    /// The tables of a view.
    private static let viewed: [Substring: Set<Substring>] = [
        "stored_account": ["stored_account", "account", "hash_kind"]
    ]
}

/// A statement with its values, in a batch.
struct PostgresRequest {
    let statement: PostgresStatement
    /// The name under which the server prepares the statement.
    let name: String
    /// Whether the server must prepare the statement first.
    let isFirst: Bool
    let values: [PostgresValue]
}

/// Sends statements and waits for their results.
extension PostgresConnection {
    /// Sends statements in one batch and waits for all results. The server skips those after a failed one, and the
    /// failure is thrown.
    ///
    /// - Returns: the results in the order of the statements.
    func results(of batch: [PostgresRequest]) throws(PostgresError) -> [PostgresResult] {
        guard unsafe PQenterPipelineMode(handle) == 1 else { throw isLost ? .disconnected : .outOfMemory }
        // libpq leaves the mode only after the last result.
        defer { if unsafe PQexitPipelineMode(handle) != 1 { isOutOfStep = true } }
        guard batch.allSatisfy({ send($0) }), unsafe PQpipelineSync(handle) == 1 else {
            isOutOfStep = true
            throw .disconnected
        }
        var results: [PostgresResult] = []
        var failure: PostgresError?
        for request in batch {
            for isPreparing in request.isFirst ? [true, false] : [false] {
                let result = try received()
                failure = failure ?? result.failure
                if !isPreparing { results.append(result) }
            }
        }
        // The end of the batch has a result too.
        unsafe PQclear(try unsafe nextResult())
        if let failure { throw isLost ? .disconnected : failure }
        return results
    }

    /// Puts a statement into libpq's buffer; false if there is not enough memory or no connection.
    private func send(_ request: PostgresRequest) -> Bool {
        if request.isFirst,
            unsafe PQsendPrepare(handle, request.name, request.statement.sql, 0, nil) != 1
        {
            return false
        }
        var bytes: [UInt8] = []
        var starts: [Int?] = []
        var lengths: [Int32] = []
        for value in request.values {
            let start = bytes.count
            starts.append(value.append(to: &bytes) ? start : nil)
            lengths.append(Int32(clamping: bytes.count - start))
        }
        // An empty value needs a non-null pointer, because a null pointer means NULL.
        bytes.append(0)
        let formats = [Int32](repeating: 1, count: request.values.count)
        return unsafe bytes.withUnsafeBytes { storage in
            let first = unsafe storage.baseAddress?.assumingMemoryBound(to: CChar.self)
            let places: [UnsafePointer<CChar>?] = unsafe starts.map { start in
                guard let start else { return nil }
                return unsafe first?.advanced(by: start)
            }
            let count = Int32(request.values.count)
            return unsafe PQsendQueryPrepared(handle, request.name, count, places, lengths, formats, 1) == 1
        }
    }

    /// Runs several statements in libpq's simple protocol.
    func runSimply(joining sql: String) throws(PostgresError) {
        try sendSimply(joining: sql)
        try takeResults {}
    }

    private func sendSimply(joining sql: String) throws(PostgresError) {
        guard unsafe PQsendQuery(handle, sql) == 1 else { throw isLost ? .disconnected : .outOfMemory }
    }

    /// Like ``runSimply(joining:)``, but calls `mayContinue` every 100 ms, and has the server cancel the statements when it
    /// returns false.
    func runSimply(joining sql: String, while mayContinue: () -> Bool) throws(PostgresError) {
        try sendSimply(joining: sql)
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

    /// Sends rows with a `COPY` statement.
    func sendCopy(_ rows: [[PostgresValue]], joining sql: String) throws(PostgresError) {
        try sendSimply(joining: sql)
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

    private func start(copy result: OpaquePointer?) throws(PostgresError) {
        let owned = try unsafe owned(result)
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

    /// Asks the server to cancel the running statement.
    private func cancel() {
        let request = unsafe PQgetCancel(handle)
        var reason = [CChar](repeating: 0, count: 256)
        _ = unsafe PQcancel(request, &reason, 256)
        unsafe PQfreeCancel(request)
    }

    // MARK: Waiting

    /// Waits until libpq has sent everything, at most until the deadline.
    private func flush() throws(PostgresError) { try whenWritable(pending: 1) { unsafe PQflush(handle) } }

    /// The next result, for which it waits; nil after the last one of a statement.
    func nextResult() throws(PostgresError) -> OpaquePointer? {
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
        isOutOfStep = true
        throw .silent
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
            let owned = unsafe PostgresResult(taking: result)
            failure = failure ?? owned.failure
        }
        if let failure { throw isLost ? .disconnected : failure }
    }

    /// The result of the next statement.
    private func received() throws(PostgresError) -> PostgresResult {
        let result = try unsafe owned(nextResult())
        while let more = try unsafe nextResult() { unsafe PQclear(more) }
        return result
    }

    private func owned(_ result: OpaquePointer?) throws(PostgresError) -> PostgresResult {
        guard let result = unsafe result else { throw isLost ? .disconnected : .outOfMemory }
        return unsafe PostgresResult(taking: result)
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
}
