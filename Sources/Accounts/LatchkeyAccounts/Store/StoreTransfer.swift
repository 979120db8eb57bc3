/// The tables of a store, for a complete copy. All calls block the thread. Use an instance on one thread only.
package protocol StoreTables: AnyObject {
    /// Locks out all writers until this object is released. Returns the store's ID and a string that identifies its
    /// current state and changes with every write.
    func lock() throws(AccountError) -> (id: [UInt8], state: String)
    /// At most `limit` rows from index `start` on, counted from 0.
    func rows(of table: StoredTable, from start: Int, limit: Int) throws(AccountError) -> [[StoredValue]]
    /// The names of the tables that are missing or lack a column.
    func missing() throws(AccountError) -> [String]
    /// The sealed ends of the lanes whose records are in the trail.
    func sealedLanes() throws(AccountError) -> [AuditLane]
    /// The number of rows to copy.
    func count(of table: StoredTable) throws(AccountError) -> Int

    /// Prepares a store for a copy of `identity` in `state`. The store must be empty or contain an interrupted copy. If
    /// the interrupted copy has another state, it is removed. The store is unusable for other processes until
    /// ``finish(_:)``.
    ///
    /// - Throws: ``StoreError/failed(resultCode:)`` if the store is complete. The caller must check that first.
    func prepare(for identity: StoreIdentity, in state: String) throws(AccountError)
    /// Adds rows in one transaction.
    func append(_ rows: [[StoredValue]], to table: StoredTable) throws(AccountError)
    /// Writes the row of the table `store` and makes the store usable.
    func finish(_ store: [StoredValue]) throws(AccountError)
}

extension StoreTables {
    /// The default for SQLite, which has no lanes.
    package func sealedLanes() throws(AccountError) -> [AuditLane] { [] }

    /// The default for SQLite, whose own check covers the tables.
    package func missing() throws(AccountError) -> [String] { [] }
}

/// Copies a store into another one, with its ID, its sessions and its audit trail.
///
/// An interrupted copy resumes where it stopped. If the source has changed in the meantime, it starts again.
package struct StoreTransfer {
    /// The number of copied rows.
    package let rows: Int

    /// Copies and verifies the store. Blocks the thread.
    ///
    /// - Parameters:
    ///   - source: the locked source, with the result of ``StoreTables/lock()``.
    ///   - key: the store's key.
    ///   - batch: the number of rows to read and write at once.
    ///   - progress: called with the number of copied rows and the total. It throws to interrupt the copy.
    /// - Throws: ``StoreError/corrupt`` if the copy differs from the source.
    package init(
        from source: any StoreTables, _ locked: (id: [UInt8], state: String), to target: any StoreTables,
        key: StoreKey, batch: Int = 5000,
        progress: (_ done: Int, _ total: Int) throws(AccountError) -> Void
    ) throws(AccountError) {
        try target.prepare(for: StoreIdentity(id: locked.id, keyTag: key.tag(ofStore: locked.id)), in: locked.state)
        var counts: [Int] = []
        for table in StoredTable.all { counts.append(try source.count(of: table)) }
        let total = counts.reduce(0, +)
        var done = 0
        for (table, count) in zip(StoredTable.all, counts) {
            var start = try target.count(of: table)
            guard start <= count else { throw .store(.corrupt) }
            done += start
            while start < count {
                try progress(done, total)
                let rows = try source.rows(of: table, from: start, limit: batch)
                guard !rows.isEmpty else { throw .store(.corrupt) }
                try target.append(rows, to: table)
                start += rows.count
                done += rows.count
            }
        }
        try progress(done, total)
        try Self.verify(source, target, counts)
        guard let store = try source.rows(of: .store, from: 0, limit: 1).first else { throw .store(.corrupt) }
        try target.finish(Self.resealed(store, of: source, counts[0], with: key))
        rows = total
    }

    /// The row of the store with the seal for a store without lanes. A seal that is wrong stays wrong.
    private static func resealed(
        _ store: [StoredValue], of source: any StoreTables, _ records: Int, with key: StoreKey
    ) throws(AccountError) -> [StoredValue] {
        func place(of name: String, in table: StoredTable) -> Int? {
            table.columns.firstIndex { $0.description == name }
        }
        let trail = StoredTable.all[0]
        guard let column = place(of: "seal", in: .store), let number = place(of: "sequence", in: trail),
            let digest = place(of: "hash", in: trail), records > 0, case .bytes(let seal) = store[column],
            let last = try source.rows(of: trail, from: records - 1, limit: 1).first,
            case (.integer(let sequence), .bytes(let hash)) = (last[number], last[digest])
        else { return store }
        let head = AuditHead(sequence: sequence, hash: hash)
        guard key.hasSealed(head, try source.sealedLanes(), with: seal) else { return store }
        var store = store
        store[column] = .bytes(key.seal(of: head, []))
        return store
    }

    /// Compares the numbers of rows and the heads of the audit trails.
    private static func verify(
        _ source: any StoreTables, _ target: any StoreTables, _ counts: [Int]
    ) throws(AccountError) {
        for (table, count) in zip(StoredTable.all, counts) {
            guard try target.count(of: table) == count else { throw .store(.corrupt) }
        }
        let (trail, last) = (StoredTable.all[0], counts[0] - 1)
        guard last >= 0 else { return }
        let ends = (
            try source.rows(of: trail, from: last, limit: 1), try target.rows(of: trail, from: last, limit: 1)
        )
        guard ends.0 == ends.1 else { throw .store(.corrupt) }
    }
}
