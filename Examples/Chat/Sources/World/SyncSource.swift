import LatchkeyAccounts

/// Announces the account and reads new changes.
protocol SyncSource: Sendable {
    func synchronise(since revision: Int64) async throws(StoreError) -> Changes
}
