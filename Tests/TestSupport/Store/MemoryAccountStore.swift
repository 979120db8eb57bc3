public import LatchkeyAccounts
import LatchkeySystem

/// An in-memory store that fulfils `StoreContract`. Each transaction works on a copy of the rows, which replaces them
/// at the commit.
public final class MemoryAccountStore: AccountStore {
    /// Returns the error with which an operation fails, or nil.
    public typealias Fault = @Sendable (StoreOperation) -> StoreError?

    struct State: Sendable {
        var rows: MemoryRows
        var operations: [StoreOperation] = []
        var fault: Fault?
    }

    private let state: Locked<State>

    /// - Parameter storeID: 16 bytes.
    public init(storeID: [UInt8] = Array(0..<16)) {
        state = Locked(State(rows: MemoryRows(storeID: storeID)))
    }

    /// Creates a store with the rows of another one.
    public init(copying other: MemoryAccountStore) {
        state = Locked(State(rows: other.state.withLock(\.rows)))
    }

    /// The operations so far, in order.
    public var operations: [StoreOperation] { state.withLock { $0.operations } }

    public func forgetOperations() { state.withLock { $0.operations = [] } }

    /// Makes operations fail from now on; nil ends that.
    public func fail(_ fault: Fault?) { state.withLock { $0.fault = fault } }

    /// Makes the store that of a database server with this time; nil ends that.
    public func setServerTime(_ time: Timestamp?) { state.withLock { $0.rows.serverTime = time } }

    public func write<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        try run(mayWrite: true, body)
    }

    public func seal<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        try await write(body)
    }

    public var sealsAtOnce: Bool { true }

    public func read<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        try run(mayWrite: false, body)
    }

    private func run<Result: Sendable>(
        mayWrite: Bool, _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) throws(AccountError) -> Result {
        try state.withLock { (state) throws(AccountError) -> Result in
            let transaction = MemoryTransaction(rows: state.rows, mayWrite: mayWrite, fault: state.fault)
            defer { state.operations += transaction.operations }
            try transaction.begin(mayWrite ? .beginWrite : .beginRead)
            let result = try body(transaction)
            if let failure = transaction.failure { throw .store(failure) }
            guard mayWrite else { return result }
            try transaction.begin(.commit)
            state.rows = transaction.rows
            return result
        }
    }
}
