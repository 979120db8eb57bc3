import LatchkeyAccounts

/// Where the account makes itself known, and asks for news.
protocol SyncSource: Sendable {
    func synchronise(since revision: Int64) async throws(StoreError) -> Changes
}
