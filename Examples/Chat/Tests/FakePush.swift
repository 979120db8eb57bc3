import LatchkeyAccounts

@testable import chat

/// Pushes the changes of a test.
struct FakePush: PushSource {
    private let stream: AsyncStream<Result<Changes, StoreError>>
    private let continuation: AsyncStream<Result<Changes, StoreError>>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func news(since revision: Int64) -> AsyncStream<Result<Changes, StoreError>> { stream }
    func push(_ result: Result<Changes, StoreError>) { continuation.yield(result) }
}
