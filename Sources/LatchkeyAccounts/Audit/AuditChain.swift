import LatchkeySecrets

/// The chain of hashes over the audit trail: `h(n) = SHA-256(0x01 ‖ length ‖ row(n) ‖ h(n-1))`, where `h(0)` is the
/// store's id, so that no row can be changed, dropped, moved or put in without every later hash showing it.
package struct AuditChain {
    /// What the next hash is over; the store's id at first.
    private(set) var last: [UInt8]
    private(set) var sequence: Int64

    /// Before the first record.
    package init(storeID: [UInt8]) {
        last = storeID
        sequence = 0
    }

    /// Goes on after `head`.
    package init(after head: AuditHead) {
        last = head.hash
        sequence = head.sequence
    }

    /// Goes on after the newest record of a store.
    init(in transaction: any StoreTransaction) throws(AccountError) {
        if let head = try transaction.auditHead {
            self.init(after: head)
        } else {
            self.init(storeID: try transaction.storeID)
        }
    }

    /// Adds `record` and gives its hash, 32 bytes.
    package mutating func add(_ record: AuditRecord) -> [UInt8] {
        var input: [UInt8] = [1]
        AuditForm.append(AuditForm.bytes(of: record), to: &input)
        input += last
        last = SHA256Digest.of(input.span)
        sequence = record.sequence
        return last
    }

    /// Adds a row that was read.
    ///
    /// - Returns: the number at which the chain is broken: a record changed, missing, moved or put in there; nil where it
    ///   holds. What is missing at the end does not show, but against a head that was kept elsewhere.
    package mutating func firstBreak(adding row: AuditRow) -> Int64? {
        let expected = sequence + 1
        guard row.sequence == expected, let record = row.record, record.sequence == expected else { return expected }
        // What begins a segment says on what it stands, so that the trail can be read from there when the rest is gone.
        if record.event == .auditRotated, AuditRotation(record.reason)?.lastHash != last { return expected }
        return add(record) == row.hash ? nil : expected
    }
}
