/// An attempt that is booked in the lane of the source that it came from.
struct SourceBooking: Sendable {
    let row: UInt16
    let weight: Int

    /// Takes it back: the guess was right, or never judged.
    func withdraw(in transaction: any StoreTransaction) throws(AccountError) {
        guard let failures = try transaction.failures(ofSource: row) else { return }
        try transaction.setFailures(SourceSchedule.withdrawing(failures, weight: weight), ofSource: row)
    }
}

extension AccountService {
    /// The row of the source that this service's requests come from; nil where the caller names none.
    var sourceRow: UInt16? { RequestSource(origin.source).map { key.row(of: $0) } }

    /// How long nothing from the source is judged.
    func sourceDelay(at now: Timestamp, in transaction: any StoreTransaction) throws(AccountError) -> Duration {
        guard let row = sourceRow else { return .zero }
        return SourceSchedule.remainingDelay(of: try transaction.failures(ofSource: row), at: now)
    }

    /// Books an attempt as a failure of the source.
    ///
    /// - Parameter name: whose account it is for, or what was typed: an account under its name and its address is one.
    /// - Returns: nil where the caller names no source.
    func bookSource(
        trying name: String, at now: Timestamp, in transaction: any StoreTransaction
    ) throws(AccountError) -> SourceBooking? {
        guard let row = sourceRow else { return nil }
        let tag = UInt32(key.auditTag(of: name).prefix(8), radix: 16) ?? 0
        let step = SourceSchedule.booking(try transaction.failures(ofSource: row), name: tag, at: now)
        try transaction.setFailures(step.failures, ofSource: row)
        return SourceBooking(row: row, weight: step.weight)
    }
}
