/// The store of an ``AccountService``: ends each write with its audit records, and records after each transaction which
/// rows it has refused.
struct ServiceStore: AccountStore {
    let service: AccountService

    var sealsAtOnce: Bool { service.database.sealsAtOnce }

    var activity: StoreActivity? { service.database.activity }

    func write<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        try await write(about: [], body)
    }

    func write<Result: Sendable>(
        about rows: [ExpectedRow], _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        try await recording { () async throws(AccountError) in try await finishing(about: rows, body) }
    }

    func writeWithReserve<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        try await recording { () async throws(AccountError) in try await finishing(withReserve: true, body) }
    }

    func seal<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        try await service.database.seal(body)
    }

    func read<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        try await recording { () async throws(AccountError) in try await service.database.read(body) }
    }

    /// Like ``write(_:)``, without records of refused rows.
    func writeUnverified<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        try await finishing(body)
    }

    /// Ends a write transaction with its audit records.
    private func finishing<Result: Sendable>(
        withReserve: Bool = false, about rows: [ExpectedRow] = [],
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        let sealer = service.sealer
        let finished: @Sendable (any StoreTransaction) throws(AccountError) -> (result: Result, isWaiting: Bool) = {
            (transaction) throws(AccountError) in
            let result = try body(transaction)
            return (result, try sealer.finish(transaction))
        }
        let (result, isWaiting) =
            withReserve
            ? try await service.database.writeWithReserve(finished)
            : try await service.database.write(about: rows, finished)
        // If this fails, the records stay in their lane until the next reader of the trail seals them.
        if isWaiting, service.sealsAfterChanges { _ = try? await service.sealAudit() }
        return result
    }

    private func recording<Result>(
        _ transaction: () async throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        do throws(AccountError) {
            let result = try await transaction()
            await service.recordRefusedRows()
            return result
        } catch {
            await service.recordRefusedRows()
            throw error
        }
    }
}
