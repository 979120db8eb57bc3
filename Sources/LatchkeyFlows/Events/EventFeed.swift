/// What one listener hears, in the order of emission. For one reader; dropped, it is forgotten.
public final class EventFeed<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Heard<Value>

    private let backlog: EventBacklog<Value>
    private let leave: @Sendable () -> Void

    init(_ backlog: EventBacklog<Value>, leave: @escaping @Sendable () -> Void) {
        self.backlog = backlog
        self.leave = leave
    }

    deinit { leave() }

    /// Waits for the next event; nil when the stream is gone, or the task is cancelled.
    public func next() async -> Heard<Value>? { await backlog.next() }

    /// The next event, where there is one already; never waits. Not while somebody else waits for ``next()``.
    public func poll() -> Heard<Value>? { backlog.poll() }

    /// Calls `body` with each event, in a task of its own, until `body` throws, or the listener that is returned is cancelled
    /// or dropped.
    public func listen(_ body: @escaping @Sendable (Heard<Value>) async throws -> Void) -> EventListener {
        EventListener(
            Task {
                for await heard in self {
                    do { try await body(heard) } catch { return }
                }
            })
    }

    public func makeAsyncIterator() -> Iterator { Iterator(feed: self) }

    public struct Iterator: AsyncIteratorProtocol {
        let feed: EventFeed

        public func next() async -> Heard<Value>? { await feed.next() }
    }
}
