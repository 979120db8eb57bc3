import LatchkeyAccounts

/// A store that there is not.
struct MissingStore: AccountStore {
    func write<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result { throw .store(.missing) }

    func read<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result { throw .store(.missing) }
}
