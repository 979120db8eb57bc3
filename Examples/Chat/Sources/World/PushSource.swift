import LatchkeyAccounts

/// What tells news unasked.
protocol PushSource: Sendable {
    /// What is newer, as it comes, until the stream is dropped. After a failure it goes on; what then comes first may be empty.
    func news(since revision: Int64) -> AsyncStream<Result<Changes, StoreError>>
}
