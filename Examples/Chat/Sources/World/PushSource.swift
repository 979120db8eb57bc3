import LatchkeyAccounts

/// Delivers new changes without a request.
protocol PushSource: Sendable {
    /// Newer changes as they arrive, until the stream is released. Continues after a failure, perhaps with no changes.
    func news(since revision: Int64) -> AsyncStream<Result<Changes, StoreError>>
}
