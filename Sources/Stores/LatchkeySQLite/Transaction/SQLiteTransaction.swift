import LatchkeyAccounts

/// One transaction of a ``SQLiteAccountStore``.
final class SQLiteTransaction: StoreTransaction {
    let connection: SQLiteConnection
    private let mayWrite: Bool

    /// The first failure of the store itself. After it, every call fails.
    private(set) var failure: StoreError?
    /// The kinds of hashes that this transaction has written.
    var hashKinds = HashKindCounts()

    init(on connection: SQLiteConnection, mayWrite: Bool) {
        self.connection = connection
        self.mayWrite = mayWrite
    }

    var storeID: [UInt8] {
        get throws(AccountError) {
            try reading { (database) throws(SQLiteError) in
                let id = try database.row("SELECT id FROM store") { (row) throws(SQLiteError) in try row.bytes(0) }
                guard let id else { throw .corrupt }
                return id
            }
        }
    }

    /// Runs statements that change nothing.
    func reading<Value>(
        _ body: (SQLiteConnection) throws(SQLiteError) -> Value
    ) throws(AccountError) -> Value {
        if let failure { throw .store(failure) }
        do throws(SQLiteError) {
            return try body(connection)
        } catch {
            throw fail(error.storeError)
        }
    }

    /// Runs statements that change something.
    ///
    /// - Parameter refusal: the meaning of a violated constraint; nil if the store has failed. By default a missing
    ///   reference means that the account does not exist.
    @discardableResult
    func writing<Value>(
        refusal: (SQLiteError) -> AccountError? = { $0.isForeignKeyViolation ? .noSuchAccount : nil },
        _ body: (SQLiteConnection) throws(SQLiteError) -> Value
    ) throws(AccountError) -> Value {
        if let failure { throw .store(failure) }
        guard mayWrite else { throw fail(.readOnly) }
        do throws(SQLiteError) {
            return try body(connection)
        } catch {
            if let refusal = refusal(error) { throw refusal }
            throw fail(error.storeError)
        }
    }

    /// Writes what the transaction has kept back. Called before the commit.
    func finish() throws(AccountError) {
        guard mayWrite, failure == nil else { return }
        try writeHashKindCounts()
    }

    private func fail(_ error: StoreError) -> AccountError {
        failure = failure ?? error
        return .store(error)
    }
}

extension Throttle {
    /// The values of a row's two columns: the account's ID, or the row of unknown names. Identifiers and devices have
    /// tables of their own.
    var columns: (account: SQLiteValue, unknownName: SQLiteValue) {
        switch self {
        case .account(let id): (.id(id), .null)
        case .unknownName(let row): (.null, .integer(Int64(row)))
        case .identifier, .device: (.null, .null)
        }
    }
}

extension SQLiteRow {
    func accountID(_ column: Int32) throws(SQLiteError) -> AccountID {
        guard let id = AccountID(bytes: try bytes(column)) else { throw .corrupt }
        return id
    }

    /// Reads two columns: an account's ID and a row of unknown names, one of which is null.
    func throttle(_ column: Int32) throws(SQLiteError) -> Throttle {
        guard isNull(column) else { return .account(try accountID(column)) }
        return .unknownName(row: try sharedRow(column + 1))
    }

    /// Reads the number of a value in `values`.
    func value<Value>(_ column: Int32, in values: [Value]) throws(SQLiteError) -> Value {
        let number = try integer(column)
        guard let index = Int(exactly: number), values.indices ~= index else { throw .corrupt }
        return values[index]
    }
}

extension SQLiteValue {
    static func time(_ time: Timestamp) -> SQLiteValue { .integer(time.milliseconds) }
    static func id(_ id: AccountID) -> SQLiteValue { .bytes(id.bytes) }
}
