public import LatchkeyAccounts

/// Runs the body of each write twice in another store, and undoes the first run.
///
/// This detects bodies with effects outside the transaction, because a remote store may repeat a body.
public struct RehearsingStore: AccountStore {
    private let store: any AccountStore

    /// - Parameter store: the store that performs both runs.
    public init(_ store: any AccountStore) { self.store = store }

    public func write<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        do throws(AccountError) {
            try await store.write { (transaction) throws(AccountError) in
                _ = try body(transaction)
                throw AccountError.overloaded
            }
        } catch {
            // Both runs must end in the same way.
        }
        return try await store.write(body)
    }

    public func seal<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        try await store.seal(body)
    }

    public var sealsAtOnce: Bool { store.sealsAtOnce }

    public var activity: StoreActivity? { store.activity }

    public func read<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        try await store.read(body)
    }
}
