/// Where accounts, sessions, codes, throttles, messages and the audit trail are kept, in transactions.
public protocol AccountStore: Sendable {
    /// Runs `body` in one transaction that no other writer can enter, and commits it: all of it is durable when the call
    /// returns, or none of it has happened.
    ///
    /// `body` is synchronous, so that nothing slow (above all no hash) can hold a transaction open.
    ///
    /// - Throws: what `body` throws, after the transaction has been undone; ``AccountError/store(_:)`` where the store
    ///   itself fails; ``AccountError/taken(field:)`` where a unique value is taken.
    func write<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result

    /// As ``write(_:)``, and on a full disk in the room that the store keeps for this, if it keeps any: for what ends
    /// sessions and removes accounts, which must be possible then too.
    ///
    /// - Parameter body: may run twice.
    func writeWithReserve<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result

    /// Runs `body` on one state of the store, and changes nothing.
    func read<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result
}

extension AccountStore {
    public func writeWithReserve<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        try await write(body)
    }
}
