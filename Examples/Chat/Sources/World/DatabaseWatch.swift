import LatchkeyAccounts

/// Looks again and again for what other processes have written: one number, read from one page, four times a second.
///
/// Nothing tells a process that another has written to a file that both have open, but the file itself. To look costs less
/// than a key that is typed, works whatever else is broken, and cannot be forgotten by a program that writes.
struct DatabaseWatch: PushSource {
    let chats: SQLiteChats
    /// Waits until it is time to look again.
    var pause: @Sendable () async -> Void = { try? await Task.sleep(for: .milliseconds(250)) }

    func news(since revision: Int64) -> AsyncStream<Result<Changes, StoreError>> {
        let (stream, continuation) = AsyncStream.makeStream(of: Result<Changes, StoreError>.self)
        let task = Task {
            var seen = revision
            var failure: StoreError?
            while !Task.isCancelled {
                do throws(StoreError) {
                    let changes = try await chats.changes(since: seen)
                    seen = changes.revision
                    if !changes.isEmpty || failure != nil { continuation.yield(.success(changes)) }
                    failure = nil
                } catch {
                    if failure != error { continuation.yield(.failure(error)) }
                    failure = error
                }
                await pause()
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
