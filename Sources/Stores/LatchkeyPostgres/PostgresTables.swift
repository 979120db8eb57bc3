package import LatchkeyAccounts
import LatchkeySQL

/// The tables of a store in PostgreSQL, for use as the source or target of a copy.
package final class PostgresTables: StoreTables {
    private let connection: PostgresConnection

    /// Connects. Blocks the thread.
    ///
    /// - Parameter address: the address, as in ``PostgresAccountStore/open(_:creating:connections:)``.
    package init(at address: String) throws(AccountError) {
        connection = try Self.translated { () throws(PostgresError) in
            try PostgresConnection(to: try PostgresAddress(address))
        }
    }

    // MARK: The source

    package func lock() throws(AccountError) -> (id: [UInt8], state: String) {
        try Self.translated { () throws(PostgresError) in
            try PostgresSchema.check(connection)
            // Writing rows to the target may take longer than a transaction may normally be idle.
            try connection.execute("SET idle_in_transaction_session_timeout = 0")
            try connection.begin(.alone)
            // The caller has sealed the records. Another process may have written since.
            guard try connection.integer(LaneStatement.unsealed) == nil else {
                // The caller seals again, which the lock would prevent.
                try connection.rollBack()
                throw .server(.lockNotAvailable)
            }
            let state = try connection.row(
                "SELECT id, coalesce((SELECT max(written_at)::text FROM writer), '') FROM store"
            ) { (row) throws(PostgresError) in (try row.bytes(0), try row.text(1)) }
            guard let state else { throw .corrupt }
            return state
        }
    }

    package func rows(
        of table: StoredTable, from start: Int, limit: Int
    ) throws(AccountError) -> [[StoredValue]] {
        try Self.translated { () throws(PostgresError) in
            let result = try connection.result(
                joining: table.selection("$"), [.integer(Int64(start)), .integer(Int64(limit))])
            return try (0..<result.rowCount).map { (number) throws(PostgresError) in
                let row = PostgresRow(result: result, number: number)
                return try (0..<Int32(table.columns.count)).map { (column) throws(PostgresError) in
                    try row.value(column)
                }
            }
        }
    }

    package func missing() throws(AccountError) -> [String] {
        let stored = (StoredTable.all + [.store]).map { ("\($0.name)", StoredTable.list($0.columns)) }
        // A view, and the tables that only PostgreSQL has.
        let others = ["stored_account", "store_lock", "writer", "lane_sealed", "audit_pending"].map { ($0, "*") }
        return try Self.translated { () throws(PostgresError) in
            var missing: [String] = []
            for (name, columns) in stored + others {
                do throws(PostgresError) {
                    _ = try connection.result(joining: "SELECT \(columns) FROM \(name) LIMIT 0", [])
                } catch .server(let state) where state == .undefinedTable || state == .undefinedColumn {
                    missing.append(name)
                }
            }
            return missing
        }
    }

    package func sealedLanes() throws(AccountError) -> [AuditLane] {
        try PostgresTransaction(on: connection, mayWrite: false).sealedLanes
    }

    package func count(of table: StoredTable) throws(AccountError) -> Int {
        try Self.translated { () throws(PostgresError) in
            let result = try connection.result(joining: "SELECT count(*) FROM \(table.rows)", [])
            return Int(try PostgresRow(result: result, number: 0).integer(0))
        }
    }

    // MARK: The target

    package func prepare(for identity: StoreIdentity, in state: String) throws(AccountError) {
        try Self.translated { () throws(PostgresError) in
            do throws(PostgresError) {
                if try PostgresSchema.number(in: connection) == nil {
                    return try PostgresSchema.create(identity, copying: state, in: connection)
                }
            } catch .refused(.incomplete) {
                let left = try connection.row("SELECT id, key_tag, copy_of FROM store") {
                    (row) throws(PostgresError) in
                    (StoreIdentity(id: try row.bytes(0), keyTag: try row.bytes(1)), try row.text(2))
                }
                if left?.0 == identity, left?.1 == state { return }
                return try startAgain(for: identity, in: state)
            }
            // The store is complete.
            throw .server(.duplicateTable)
        }
    }

    private func startAgain(for identity: StoreIdentity, in state: String) throws(PostgresError) {
        try connection.begin(.alone)
        try connection.execute("ALTER TABLE audit DISABLE TRIGGER audit_unchanged")
        try connection.execute(joining: "TRUNCATE " + StoredTable.all.map { "\($0.name)" }.joined(separator: ", "))
        try connection.execute("ALTER TABLE audit ENABLE TRIGGER audit_unchanged")
        try connection.write(
            "UPDATE store SET id = $1, key_tag = $2, copy_of = $3", .bytes(identity.id), .bytes(identity.keyTag),
            .text(state))
        try connection.commit()
    }

    package func append(_ rows: [[StoredValue]], to table: StoredTable) throws(AccountError) {
        try Self.translated { () throws(PostgresError) in
            try connection.begin(.alone)
            // The start of the copied trail may be missing, which the trigger would refuse as a gap. The throttles of
            // accounts are copied too.
            let trigger = ["audit": "audit_without_gaps", "account": "account_throttle"]["\(table.name)"]
            if let trigger { try connection.execute(joining: "ALTER TABLE \(table.name) DISABLE TRIGGER \(trigger)") }
            try connection.copy(
                rows.map { $0.map { PostgresValue($0) } },
                joining: "COPY \(table.name) (\(StoredTable.list(table.columns))) FROM STDIN BINARY")
            if let trigger { try connection.execute(joining: "ALTER TABLE \(table.name) ENABLE TRIGGER \(trigger)") }
            try connection.commit()
        }
    }

    package func finish(_ store: [StoredValue]) throws(AccountError) {
        try Self.translated { () throws(PostgresError) in
            try connection.begin(.alone)
            try connection.execute(Migration.missingThrottles)
            let changes = StoredTable.store.columns.indices.map { "\(StoredTable.store.columns[$0]) = $\($0 + 1)" }
            _ = try connection.result(
                joining: "UPDATE store SET copy_of = NULL, " + changes.joined(separator: ", "),
                store.map { PostgresValue($0) })
            for table in StoredTable.all where table.isNumbered {
                _ = try connection.result(
                    joining: """
                        SELECT setval(pg_get_serial_sequence('\(table.name)', 'number'), 1 + coalesce(max(number), 0), false)
                            FROM \(table.name)
                        """, [])
            }
            try connection.commit()
            try connection.execute("ANALYZE")
        }
    }

    private static func translated<Value>(
        _ body: () throws(PostgresError) -> Value
    ) throws(AccountError) -> Value {
        do throws(PostgresError) { return try body() } catch { throw error.accountError }
    }
}

extension PostgresValue {
    fileprivate init(_ value: StoredValue) {
        self =
            switch value {
            case .null: .null
            case .integer(let number): .integer(number)
            case .text(let text): .text(text)
            case .bytes(let bytes): .bytes(bytes)
            }
    }
}
