import LatchkeyAccounts

@testable import chat

/// Pushes the changes of a test.
struct FakePush: PushSource {
    private let stream: AsyncStream<Result<Changes, StoreError>>
    private let continuation: AsyncStream<Result<Changes, StoreError>>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func news(since revision: Int64) -> AsyncStream<Result<Changes, StoreError>> { stream }
    /// Whether nothing receives the changes any more.
    var isReleased: Bool { if case .terminated = continuation.yield(.success(Changes())) { true } else { false } }
    func push(_ result: Result<Changes, StoreError>) { continuation.yield(result) }
}
