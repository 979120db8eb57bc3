import LatchkeyAccounts

/// One transaction of a ``PostgresAccountStore``.
final class PostgresTransaction: StoreTransaction {
    let connection: PostgresConnection
    private let mayWrite: Bool

    /// The first failure of the store itself. After it, every call fails.
    private(set) var failure: StoreError?
    /// The first failure of a statement. The server has undone the transaction because of it.
    private(set) var interruption: PostgresError?
    /// The kinds of hashes that this transaction has written.
    var hashKinds = HashKindCounts()

    init(on connection: PostgresConnection, mayWrite: Bool) {
        self.connection = connection
        self.mayWrite = mayWrite
    }

    var storeID: [UInt8] {
        get throws(AccountError) {
            try reading { (database) throws(PostgresError) in
                let id = try database.row("SELECT id FROM store") { (row) throws(PostgresError) in try row.bytes(0) }
                guard let id else { throw .corrupt }
                return id
            }
        }
    }

    /// Runs statements that change nothing.
    func reading<Value>(
        _ body: (PostgresConnection) throws(PostgresError) -> Value
    ) throws(AccountError) -> Value {
        if let failure { throw .store(failure) }
        do throws(PostgresError) {
            return try body(connection)
        } catch {
            if interruption == nil { interruption = error }
            throw fail(error.storeError)
        }
    }

    /// Runs statements that change something.
    @discardableResult
    func writing<Value>(
        _ body: (PostgresConnection) throws(PostgresError) -> Value
    ) throws(AccountError) -> Value {
        if failure == nil, !mayWrite { throw fail(.readOnly) }
        return try reading(body)
    }

    /// Writes what the transaction has kept back. Called before the commit.
    func finish() throws(AccountError) {
        guard mayWrite, failure == nil else { return }
        try writeHashKindCounts()
    }

    /// Records this write as the worker's last one, and forgets workers that have not written for a week.
    func number(_ write: Int64, of worker: [UInt8]) throws(AccountError) {
        try writing { (database) throws(PostgresError) in
            try database.run(
                """
                INSERT INTO writer (id, last_write) VALUES ($1, $2)
                    ON CONFLICT (id) DO UPDATE SET last_write = $2, written_at = now()
                """, .bytes(worker), .integer(write))
            guard write == 1 else { return }
            try database.run("DELETE FROM writer WHERE written_at < now() - interval '7 days'")
        }
    }

    private func fail(_ error: StoreError) -> AccountError {
        failure = failure ?? error
        return .store(error)
    }
}

extension Throttle {
    /// The values of a row's two columns: the account's ID, or the row of unknown names. Identifiers and devices have
    /// tables of their own.
    var columns: (account: PostgresValue, unknownName: PostgresValue) {
        switch self {
        case .account(let id): (.id(id), .null)
        case .unknownName(let row): (.null, .integer(Int64(row)))
        case .identifier, .device: (.null, .null)
        }
    }
}

extension PostgresRow {
    func accountID(_ column: Int32) throws(PostgresError) -> AccountID {
        guard let id = AccountID(bytes: try bytes(column)) else { throw .corrupt }
        return id
    }

    /// Reads two columns: an account's ID and a row of unknown names, one of which is null.
    func throttle(_ column: Int32) throws(PostgresError) -> Throttle {
        guard isNull(column) else { return .account(try accountID(column)) }
        return .unknownName(row: try sharedRow(column + 1))
    }

    /// Reads the number of a value in `values`.
    func value<Value>(_ column: Int32, in values: [Value]) throws(PostgresError) -> Value {
        let number = try integer(column)
        guard let index = Int(exactly: number), values.indices ~= index else { throw .corrupt }
        return values[index]
    }
}

extension PostgresValue {
    static func time(_ time: Timestamp) -> PostgresValue { .integer(time.milliseconds) }
    static func id(_ id: AccountID) -> PostgresValue { .bytes(id.bytes) }
}
