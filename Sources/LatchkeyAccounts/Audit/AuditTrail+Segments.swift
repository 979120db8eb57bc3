extension AuditTrail {
    /// Closes the open segment: the record that says so begins the next.
    func rotate(
        _ chain: inout AuditChain, at time: Timestamp, in transaction: any StoreTransaction
    ) throws(AccountError) {
        let first = try Self.startOfOpenSegment(in: transaction)?.sequence ?? 1
        let rotation = AuditRotation(
            count: chain.sequence - first + 1, bytes: try transaction.auditSize(from: first), lastHash: chain.last)
        try add(.auditRotated, about: nil, reason: .closed(rotation), at: time, to: &chain, in: transaction)
    }

    /// Closes the open segment where its first record is old, so that a store in which little happens forgets in time too.
    func rotateByAge(at time: Timestamp, in transaction: any StoreTransaction) throws(AccountError) {
        guard let start = try Self.startOfOpenSegment(in: transaction), let began = start.record?.time,
            time.since(began) >= AuditRotation.longestSpan
        else { return }
        var chain = try AuditChain(in: transaction)
        // A segment of one record, which only closed the one before it, is not worth another.
        guard chain.sequence > start.sequence else { return }
        try rotate(&chain, at: time, in: transaction)
    }

    /// Drops closed segments from the start of the trail while it is larger than it may be, or they are older.
    ///
    /// - Returns: how many records there were.
    @discardableResult
    func dropSegments(
        atMost count: Int, at time: Timestamp, in transaction: any StoreTransaction
    ) throws(AccountError) -> Int {
        guard let first = try transaction.auditRows(after: 0, limit: 1).first else { return 0 }
        // The first record of all may begin a segment itself: what it closed is gone already.
        let closings = try transaction.auditRotations().filter { $0.sequence > first.sequence }
        var size = closings.reduce(0) { $0 + ($1.rotation?.bytes ?? 0) }
        var end: Int64?
        for closing in closings.prefix(count) {
            let isOld = closing.record.map { time.since($0.time) > limits.age } ?? false
            guard size > limits.bytes || isOld else { break }
            size -= closing.rotation?.bytes ?? 0
            end = closing.sequence
        }
        guard let end else { return 0 }
        return try transaction.dropAuditRecords(before: end)
    }

    private static func startOfOpenSegment(in transaction: any StoreTransaction) throws(AccountError) -> AuditRow? {
        if let last = try transaction.auditRotations().last { return last }
        return try transaction.auditRows(after: 0, limit: 1).first
    }
}

extension AuditRow {
    /// What it closed, where it begins a segment.
    var rotation: AuditRotation? {
        guard let record, record.event == .auditRotated else { return nil }
        return AuditRotation(record.reason)
    }
}
