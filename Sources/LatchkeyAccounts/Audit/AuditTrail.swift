import LatchkeySecrets

/// Writes the records of one call of the service, each in the transaction of what it tells.
package struct AuditTrail: Sendable {
    let requestID: String
    let actor: AuditActor

    init(by actor: AuditActor, random: RandomSource) throws(AccountError) {
        do { requestID = Hexadecimal.text(of: try random.bytes(8)) } catch { throw .noRandomness }
        self.actor = actor
    }

    /// Appends one record to the chain. Where it cannot be written, what it tells does not happen: the transaction is
    /// undone.
    func append(
        _ event: AuditEvent, about account: AccountID?, reason: AuditReason = .none, at time: Timestamp,
        in transaction: any StoreTransaction
    ) throws(AccountError) {
        var chain: AuditChain
        if let head = try transaction.auditHead {
            chain = AuditChain(after: head)
        } else {
            chain = AuditChain(storeID: try transaction.storeID)
        }
        let record = AuditRecord(
            sequence: chain.sequence + 1, time: time, event: event, account: account, actor: actor,
            requestID: requestID, reason: reason.text)
        try transaction.append(record, hash: chain.add(record))
    }

    /// Whether the chain of a whole trail holds.
    package enum Verdict: Equatable, Sendable {
        /// Nil where there is no record yet.
        case intact(head: AuditHead?)
        /// At the record of this number.
        case broken(sequence: Int64)
    }

    /// Recomputes the chain from its start.
    package static func verify(in transaction: any StoreTransaction) throws(AccountError) -> Verdict {
        var chain = AuditChain(storeID: try transaction.storeID)
        while true {
            let rows = try transaction.auditRecords(after: chain.sequence, limit: 512)
            if rows.isEmpty { break }
            if let sequence = chain.firstBreak(in: rows) { return .broken(sequence: sequence) }
        }
        return .intact(head: try transaction.auditHead)
    }
}
