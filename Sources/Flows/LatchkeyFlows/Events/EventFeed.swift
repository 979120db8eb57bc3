/// The events for one listener, in order of emission. Only one task may read it at a time. Releasing the feed
/// unsubscribes it.
public final class EventFeed<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = DeliveredEvent<Value>

    private let backlog: EventBacklog<Value>
    private let leave: @Sendable () -> Void

    init(_ backlog: EventBacklog<Value>, leave: @escaping @Sendable () -> Void) {
        self.backlog = backlog
        self.leave = leave
    }

    deinit { leave() }

    /// Waits for the next event; nil if the stream has ended or the task is cancelled.
    public func next() async -> DeliveredEvent<Value>? { await backlog.next() }

    /// The next event if one has arrived. It never waits. Do not call it while another task waits in ``next()``.
    public func poll() -> DeliveredEvent<Value>? { backlog.poll() }

    /// Calls `body` with each event in a new task, until `body` throws or the returned listener is cancelled or
    /// released.
    public func listen(_ body: @escaping @Sendable (DeliveredEvent<Value>) async throws -> Void) -> EventListener {
        EventListener(
            Task {
                for await delivered in self {
                    do { try await body(delivered) } catch { return }
                }
            })
    }

    /// An iterator over the feed.
    public func makeAsyncIterator() -> Iterator { Iterator(feed: self) }

    /// Reads the feed with `for await`.
    public struct Iterator: AsyncIteratorProtocol {
        let feed: EventFeed

        /// Waits for the next event; nil if the stream has ended or the task is cancelled.
        public func next() async -> DeliveredEvent<Value>? { await feed.next() }
    }
}

/// An event for a listener, or a gap.
public enum DeliveredEvent<Value: Sendable>: Sendable {
    /// The event.
    case event(Value)
    /// The number of events dropped here, because the listener was too slow.
    case missed(Int)

    /// The event; nil for a gap.
    public var event: Value? {
        if case .event(let value) = self { value } else { nil }
    }
}

extension DeliveredEvent: Equatable where Value: Equatable {}

/// A running listener. It ends when it is cancelled or released.
public final class EventListener: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }

    deinit { task.cancel() }

    /// Ends the listener.
    public func cancel() { task.cancel() }

    /// Waits until the listener ends, because it was cancelled, its body threw, or the stream ended.
    public func wait() async { await task.value }
}
