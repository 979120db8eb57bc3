import LatchkeySecrets

/// Gives records their place in the chain, and seals the end of the chain with the store's key.
///
/// A store on this machine does this in the transaction that writes the records. On a database server, each connection
/// writes to its lane, and one sealer at a time moves the records of all lanes into the chain
/// (docs/decisions/0059-lanes.md). Only the sealer counts the failures of a minute, so the limit is exact.
package struct AuditSealer: Sendable {
    let key: StoreKey
    let limits: AuditLimits

    /// - Parameters:
    ///   - key: of the store.
    ///   - limits: the size and the age of the trail.
    package init(key: StoreKey, limits: AuditLimits) {
        (self.key, self.limits) = (key, limits)
    }

    /// Writes the records that a transaction has collected. Called at its end.
    ///
    /// - Returns: whether they wait in a lane now.
    @discardableResult
    package func finish(_ transaction: any StoreTransaction) throws(AccountError) -> Bool {
        let records = transaction.takeRecords()
        guard let first = records.first else { return false }
        guard var lane = try transaction.lane else {
            try extend(with: first.record, in: transaction) { (chain, transaction) throws(AccountError) in
                try chainUp(records, to: &chain, in: transaction)
            }
            return false
        }
        for record in records {
            lane = lane.extended(by: key.tag(of: record, in: lane))
            try transaction.append(record, to: lane)
        }
        return true
    }

    /// Moves records from the lanes into the chain, in the order of their transactions.
    ///
    /// A lane whose tags are wrong keeps its records, and does not stop the others. ``AuditVerification`` reports it.
    ///
    /// Moves about 500 records: until this transaction has ended, the database server remembers what all others read.
    ///
    /// - Returns: whether more records wait.
    func sealLanes(in transaction: any StoreTransaction) throws(AccountError) -> Bool {
        let sealed = try transaction.sealedLanes
        let limit = max(500 / max(sealed.count, 1), 20)
        let batch = LaneBatch(
            try transaction.pendingRecords(limit: limit), after: sealed, limit: limit, checkedWith: key)
        guard let first = batch.records.first else { return false }
        try extend(with: first.record, after: sealed, in: transaction) { (chain, transaction) throws(AccountError) in
            try chainUp(batch.records, to: &chain, in: transaction)
            for (start, end) in batch.lanes { try transaction.setSealed(end, after: start.number) }
        }
        return batch.isPart
    }

    /// Records the failures that were only counted, if their minute is over, and closes an old segment.
    ///
    /// - Parameter record: a record of the call that does this, with the current time.
    func tidy(with record: AuditRecord, in transaction: any StoreTransaction) throws(AccountError) {
        try extend(with: record, after: transaction.sealedLanes, in: transaction) {
            (chain, transaction) throws(AccountError) in
            if let flood = try transaction.auditFlood, flood.counted > 0, flood.isOver(at: record.time) {
                try transaction.setAuditFlood(AuditFlood(since: record.time, recorded: 0, counted: 0))
                try add(record.companion(.auditGap, .repeated(flood.counted)), to: &chain, in: transaction)
            }
            try rotateByAge(&chain, with: record, in: transaction)
        }
    }

    /// Extends the chain and seals its new end.
    ///
    /// If the old end was not sealed, another program has changed it. The new seal must not hide that, so a record
    /// precedes the others.
    private func extend(
        with record: AuditRecord, after sealed: [AuditLane] = [], in transaction: any StoreTransaction,
        _ body: (inout AuditChain, any StoreTransaction) throws(AccountError) -> Void
    ) throws(AccountError) {
        let head = try transaction.auditHead
        var chain: AuditChain
        if let head { chain = AuditChain(after: head) } else { chain = AuditChain(storeID: try transaction.storeID) }
        let oldSeal = try transaction.seal
        if !key.hasSealed(head, sealed, with: oldSeal) {
            try add(record.companion(.auditEndChanged), to: &chain, in: transaction)
        }
        try body(&chain, transaction)
        guard let end = chain.head else { return }
        // Records that were only counted leave the end of the chain, but not that of their lane.
        let newSeal = key.seal(of: end, try transaction.sealedLanes)
        if newSeal != oldSeal { try transaction.setSeal(newSeal) }
    }

    private func chainUp(
        _ records: [PendingRecord], to chain: inout AuditChain, in transaction: any AuditRows
    ) throws(AccountError) {
        var flood = records.contains(where: \.canFlood) ? try transaction.auditFlood : nil
        for pending in records {
            let record = pending.record
            if pending.canFlood {
                let step = AuditFlood.adding(
                    pending.weight, to: flood, limit: AuditFlood.limitPerStore, at: record.time)
                flood = step.flood
                if step.counted > 0 {
                    try add(record.companion(.auditGap, .repeated(step.counted)), to: &chain, in: transaction)
                }
                guard step.isRecorded else { continue }
            }
            try add(record, to: &chain, in: transaction)
        }
        if let flood { try transaction.setAuditFlood(flood) }
    }

    /// Adds a record. Closes the segment first if it is full.
    func add(
        _ record: AuditRecord, to chain: inout AuditChain, in transaction: any AuditRows
    ) throws(AccountError) {
        if record.event != .auditRotated, (chain.sequence + 1).isMultiple(of: AuditRotation.interval) {
            try rotate(&chain, with: record, in: transaction)
            try dropSegments(atMost: 1, at: record.time, in: transaction)
        }
        let record = record.numbered(chain.sequence + 1)
        try transaction.append(record, hash: chain.add(record))
    }
}

extension StoreKey {
    /// Whether the trail ends as it was sealed. A trail without records has no seal.
    func hasSealed(_ head: AuditHead?, _ lanes: [AuditLane], with seal: [UInt8]?) -> Bool {
        guard let head, let seal else { return head == nil && seal == nil && lanes.isEmpty }
        return ConstantTime.areEqual(seal.span, self.seal(of: head, lanes).span)
    }
}

/// Records of the lanes that can be moved into the chain.
private struct LaneBatch {
    /// The records in the order of their transactions, and within a transaction as it wrote them.
    let records: [PendingRecord]
    /// The old and the new end of each lane with these records.
    let lanes: [(start: AuditLane, end: AuditLane)]
    /// Whether more records of intact lanes wait.
    let isPart: Bool

    init(_ rows: [LaneRecord], after sealed: [AuditLane], limit: Int, checkedWith key: StoreKey) {
        let lanes = Dictionary(grouping: rows, by: \.end.id)
        let starts = Dictionary(sealed.map { ($0.id, $0) }) { first, _ in first }
        var intact: [LaneRecord] = []
        // A transaction with a greater number may have seen one whose records were not read.
        var horizon = Int64.max
        for (id, rows) in lanes {
            var lane = starts[id] ?? AuditLane(id: id)
            let rows = rows.sorted { $0.end.number < $1.end.number }
            for row in rows {
                guard let end = key.next(row, after: lane) else { break }
                lane = end
                intact.append(row)
            }
            if rows.count >= limit, rows.last?.end == lane { horizon = min(horizon, rows.last?.transaction ?? horizon) }
        }
        let chosen = intact.filter { $0.transaction <= horizon }.sorted {
            ($0.transaction, $0.end.id, $0.end.number) < ($1.transaction, $1.end.id, $1.end.number)
        }
        records = chosen.compactMap(\.record)
        var ends: [Int64: AuditLane] = [:]
        for row in chosen { ends[row.end.id] = row.end }
        self.lanes = ends.values.sorted { $0.id < $1.id }.map { (starts[$0.id] ?? AuditLane(id: $0.id), $0) }
        isPart = horizon != .max
    }
}

extension StoreKey {
    /// The end of the lane with this record; nil if the record is unreadable, does not follow, or has the wrong tag.
    func next(_ row: LaneRecord, after lane: AuditLane) -> AuditLane? {
        guard let record = row.record, row.end.number == lane.number + 1 else { return nil }
        let end = lane.extended(by: tag(of: record, in: lane))
        return ConstantTime.areEqual(end.head.span, row.end.head.span) ? end : nil
    }
}
