import LatchkeyAccounts

/// A transaction of a `MemoryAccountStore` on a copy of its rows.
final class MemoryTransaction: StoreTransaction {
    var rows: MemoryRows
    var collectedRecords: [PendingRecord] = []
    private(set) var operations: [StoreOperation] = []
    /// The first failure of the store itself. If a body continues after it, nothing is committed.
    private(set) var failure: StoreError?
    private let mayWrite: Bool
    private let fault: MemoryAccountStore.Fault?

    init(rows: MemoryRows, mayWrite: Bool, fault: MemoryAccountStore.Fault?) {
        self.rows = rows
        self.mayWrite = mayWrite
        self.fault = fault
    }

    func begin(_ operation: StoreOperation) throws(AccountError) {
        // Part of writing any record and of looking up any session.
        if operation != .clockMark && operation != .setClockMark { operations.append(operation) }
        if let error = failure ?? fault?(operation) { throw fail(error) }
    }

    func beginWriting(_ operation: StoreOperation) throws(AccountError) {
        try begin(operation)
        guard mayWrite else { throw fail(.readOnly) }
    }

    private func fail(_ error: StoreError) -> AccountError {
        failure = failure ?? error
        return .store(error)
    }

    /// The result code of SQLite for a violated constraint (SQLITE_CONSTRAINT).
    func failConstraint() -> AccountError { fail(.failed(resultCode: 19)) }

    var storeID: [UInt8] {
        get throws(AccountError) {
            try begin(.storeID)
            return rows.storeID
        }
    }
}
