import LatchkeySystem

/// Delivers each event to all listeners, in order of emission.
///
/// Delivery is synchronous and under a lock, because emitters are synchronous code and tasks would reorder events. Each
/// listener reads from a separate feed, so that a slow listener does not delay the others. A listener may emit events
/// itself.
///
/// The stream does not retain its listeners. Releasing a feed unsubscribes it.
public final class EventStream<Event: StreamedEvent>: Sendable {
    private struct Listener {
        let take: @Sendable (Event) -> Void
        let finish: @Sendable () -> Void
    }

    private struct State {
        var listeners: [(number: UInt64, listener: Listener)] = []
        var nextNumber: UInt64 = 0
        /// The events that describe the current state, for late listeners: the flow on screen, the session and running
        /// calls.
        var present: [Event] = []
    }

    private let state = Locked(State())

    /// Creates a stream without listeners.
    public init() {}

    /// Ends every feed.
    deinit {
        for (_, listener) in state.withLock({ $0.listeners }) { listener.finish() }
    }

    /// Delivers `event` to every listener.
    public func emit(_ event: Event) {
        state.withLock { state in
            state.present.removeAll { event.outdates($0) }
            if event.isPresent { state.present.append(event) }
            for (_, listener) in state.listeners { listener.take(event) }
        }
    }

    /// A feed of the events that describe the current state, followed by every later event.
    ///
    /// - Parameter limit: the maximum number of waiting events, at least 1. Further events are dropped and reported as
    ///   one gap with their number.
    public func events(limit: Int = 1024) -> EventFeed<Event> { events(limit: limit) { $0 } }

    /// A feed of the results of `pick` for each event. Events with the result nil take no space.
    ///
    /// - Parameters:
    ///   - pick: runs during the emission of the event, and must not emit events itself.
    ///   - limit: the number of events that may wait. Further ones are dropped and counted.
    public func events<Value: Sendable>(
        limit: Int = 1024, picking pick: @escaping @Sendable (Event) -> Value?
    ) -> EventFeed<Value> {
        let backlog = EventBacklog<Value>(limit: limit)
        let take: @Sendable (Event) -> Void = { event in
            if let value = pick(event) { backlog.push(value) }
        }
        let number = state.withLock { state in
            for event in state.present { take(event) }
            defer { state.nextNumber += 1 }
            state.listeners.append((state.nextNumber, Listener(take: take, finish: { backlog.finish() })))
            return state.nextNumber
        }
        return EventFeed(backlog) { [weak self] in self?.forget(number) }
    }

    /// The number of listeners.
    public var listenerCount: Int { state.withLock { $0.listeners.count } }

    private func forget(_ number: UInt64) {
        // Released outside the lock, because its deinitializer may emit events.
        let gone = state.withLock { state in
            let gone = state.listeners.firstIndex { $0.number == number }
            return gone.map { state.listeners.remove(at: $0) }
        }
        withExtendedLifetime(gone) {}
    }
}

/// An event that can describe the current state, which late listeners receive first.
public protocol StreamedEvent: Sendable {
    /// Whether the event describes the current state.
    var isPresent: Bool { get }
    /// Whether `earlier` no longer describes the current state after this event.
    func outdates(_ earlier: Self) -> Bool
}

extension StreamedEvent {
    /// The default is false: the event only reports a change.
    public var isPresent: Bool { false }
    /// The default is false: the event does not outdate another event.
    public func outdates(_ earlier: Self) -> Bool { false }
}
