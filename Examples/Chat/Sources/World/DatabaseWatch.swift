import LatchkeyAccounts

/// Polls for changes by other processes, four times a second. Each poll reads one number from one page.
///
/// SQLite does not notify a process of writes by other processes. A poll costs less than a key press.
struct DatabaseWatch: PushSource {
    let chats: SQLiteChats
    /// Waits for the next poll.
    var pause: @Sendable () async -> Void = { try? await Task.sleep(for: .milliseconds(250)) }

    func news(since revision: Int64) -> AsyncStream<Result<Changes, StoreError>> {
        let (stream, continuation) = AsyncStream.makeStream(of: Result<Changes, StoreError>.self)
        let task = Task {
            var seen = revision
            while !Task.isCancelled {
                do throws(StoreError) {
                    let changes = try await chats.changes(since: seen)
                    seen = changes.revision
                    continuation.yield(.success(changes))
                } catch {
                    continuation.yield(.failure(error))
                }
                await pause()
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
