package import LatchkeyAccounts

/// A transaction that reads and writes the rows of a store in an SQL database.
package final class SQLTransaction<Engine: SQLEngine>: StoreTransaction {
    package typealias Failure = Engine.Failure

    package let connection: Engine
    private let mayWrite: Bool

    /// The first failure of the store. After that, every call fails.
    package private(set) var failure: StoreError?
    /// The failure of the engine that ``failure`` reports; nil if there is none.
    package private(set) var engineFailure: (any SQLFailure)?
    /// The kinds of hashes that this transaction has written.
    package var hashKinds = HashKindCounts()
    /// The audit records of the transaction, which are written at its end.
    var collectedRecords: [PendingRecord] = []
    /// Records of the trail that are written together before the next statement.
    private var waitingRecords: [[Engine.Value]] = []
    /// Whether ``waitingRecords`` has any. Every statement asks, and an array of a generic type takes 1 % of its time.
    private var hasWaitingRecords = false
    /// The newest time in the store and the end of the audit trail, which almost every change reads several times; nil
    /// before the first time.
    package var knownClock: ClockMark?
    package var knownHead: AuditHead?
    /// The costs of the hashes, for a body that has expected them; nil before.
    package var knownHashCosts: ClosedRange<Int>?

    package init(on connection: Engine, mayWrite: Bool) {
        self.connection = connection
        self.mayWrite = mayWrite
    }

    package var storeID: [UInt8] {
        get throws(AccountError) {
            try reading { (database) throws(Failure) in
                let id = try database.row("SELECT id FROM store") { (row) throws(Failure) in try row.bytes(0) }
                guard let id else { throw .corrupt }
                return id
            }
        }
    }

    package func expect(_ rows: [ExpectedRow]) throws(AccountError) { try Engine.prefetch(rows, in: self) }

    /// Runs read-only statements.
    package func reading<Value>(_ body: (Engine) throws(Failure) -> Value) throws(AccountError) -> Value {
        if let failure { throw .store(failure) }
        do throws(Failure) {
            try writeRecords()
            return try body(connection)
        } catch {
            // An engine reports a write that it has sent together with this read.
            if error.isForeignKeyViolation { throw .noSuchAccount }
            throw fail(error.storeError, error)
        }
    }

    /// Runs statements that change data.
    ///
    /// - Parameter refusal: converts a violated constraint into an error; nil if the store has failed. By default, a
    ///   missing reference means that the account does not exist.
    @discardableResult
    package func writing<Value>(
        refusal: (Failure) -> AccountError? = { $0.isForeignKeyViolation ? .noSuchAccount : nil },
        _ body: (Engine) throws(Failure) -> Value
    ) throws(AccountError) -> Value {
        try checkWriting()
        do throws(Failure) {
            try writeRecords()
            return try body(connection)
        } catch {
            if let refusal = refusal(error) { throw refusal }
            throw fail(error.storeError, error)
        }
    }

    /// Throws if the transaction has failed or only reads.
    func checkWriting() throws(AccountError) {
        if let failure { throw .store(failure) }
        guard mayWrite else { throw fail(.readOnly, nil) }
    }

    /// Runs one statement that changes data. The engine may send it later, together with another one.
    func write(_ sql: StaticString, _ values: Engine.Value...) throws(AccountError) {
        try writing { (database) throws(Failure) in try database.write(sql, values: values) }
    }

    /// Like ``write(_:_:)``, but the statement must insert or replace a row that belongs to an account.
    ///
    /// - Throws: ``AccountError/noSuchAccount``, here or in a later call, or at the commit.
    func writeRow(_ sql: StaticString, _ values: Engine.Value...) throws(AccountError) {
        try writing { (database) throws(Failure) in try database.writeRow(sql, values: values) }
    }

    /// Runs one statement that changes data and returns the number of rows it changed.
    func run(_ sql: StaticString, _ values: Engine.Value...) throws(AccountError) -> Int {
        try writing { (database) throws(Failure) in try database.run(sql, values: values) }
    }

    /// Converts all result rows of one statement.
    func rows<Value>(
        _ sql: StaticString, _ values: Engine.Value..., make: (Engine.Row) throws(Failure) -> Value
    ) throws(AccountError) -> [Value] {
        try reading { (database) throws(Failure) in try database.rows(sql, values: values, make: make) }
    }

    /// Converts the first result row of one statement; nil if there is none.
    func row<Value>(
        _ sql: StaticString, _ values: Engine.Value..., make: (Engine.Row) throws(Failure) -> Value
    ) throws(AccountError) -> Value? {
        try reading { (database) throws(Failure) in try database.row(sql, values: values, make: make) }
    }

    /// The integer in the first column of one statement's first result row; nil if there is no row.
    func integer(_ sql: StaticString, _ values: Engine.Value...) throws(AccountError) -> Int64? {
        try reading { (database) throws(Failure) in try database.integer(sql, values: values) }
    }

    /// Writes the changes that the transaction has deferred. Called before the commit.
    package func finish() throws(AccountError) {
        guard mayWrite, failure == nil else { return }
        try writeHashKindCounts()
        try sendRecords()
    }

    /// Lets a record of the trail wait for the next statement.
    func add(waiting record: [Engine.Value]) {
        waitingRecords.append(record)
        hasWaitingRecords = true
    }

    /// Writes the records of the trail that wait.
    func sendRecords() throws(AccountError) { try writing { (_) throws(Failure) in } }

    private func writeRecords() throws(Failure) {
        guard hasWaitingRecords else { return }
        let records = waitingRecords
        (waitingRecords, hasWaitingRecords) = ([], false)
        try connection.insert(records: records)
    }

    private func fail(_ error: StoreError, _ cause: (any SQLFailure)?) -> AccountError {
        if failure == nil { (failure, engineFailure) = (error, cause) }
        return .store(error)
    }

    /// The values of a row's two columns: the account's ID, or the row of unknown names. A request for a code belongs to
    /// no other throttle.
    func columns(of throttle: Throttle) -> (account: Engine.Value, unknownName: Engine.Value) {
        switch throttle {
        case .account(let id): (.id(id), .null)
        case .unknownName(let row): (.null, .integer(Int64(row)))
        case .identifier, .device, .codes, .codesFromNetwork: (.null, .null)
        }
    }
}

/// An ID that precedes the random IDs of all accounts, with which a list of accounts starts.
let lowestAccountID = [UInt8](repeating: 0, count: 16)

extension SQLRow {
    package func accountID(_ column: Int32) throws(Failure) -> AccountID {
        guard let id = AccountID(bytes: try bytes(column)) else { throw .corrupt }
        return id
    }

    /// The tag of a ``TaggedRow``; empty for NULL.
    func tag(_ column: Int32) throws(Failure) -> [UInt8] { isNull(column) ? [] : try bytes(column) }

    /// Reads two columns, the ID of an account and a row of unknown names. One of them is null.
    func throttle(_ column: Int32) throws(Failure) -> Throttle {
        guard isNull(column) else { return .account(try accountID(column)) }
        return .unknownName(row: try sharedRow(column + 1))
    }

    /// Reads the index of a value in `values`.
    package func value<Value>(_ column: Int32, in values: [Value]) throws(Failure) -> Value {
        let number = try integer(column)
        guard number >= 0, number < values.count else { throw .corrupt }
        return values[Int(number)]
    }
}

extension SQLValue {
    package static func time(_ time: Timestamp) -> Self { .integer(time.milliseconds) }
    package static func id(_ id: AccountID) -> Self { .bytes(id.bytes) }
    /// NULL for a row without a tag.
    package static func tag(_ row: some TaggedRow) -> Self { .bytes(row.tag.isEmpty ? nil : row.tag) }
}
