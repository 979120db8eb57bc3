import LatchkeySystem

/// Hands each event to every listener in the order of emission.
///
/// Synchronous, under a lock: what emits is synchronous code, and tasks would reorder. A listener reads from a feed of
/// its own, so that a slow or dead one holds back nobody; whoever emits from within a listener emits like anybody else.
///
/// Holds no listener: a feed that nobody has any more is forgotten.
public final class EventStream<Event: StreamedEvent>: Sendable {
    private struct Listener {
        let take: @Sendable (Event) -> Void
        let finish: @Sendable () -> Void
    }

    private struct State {
        var listeners: [(number: UInt64, listener: Listener)] = []
        var nextNumber: UInt64 = 0
        /// What is true now, for listeners that come late: where we are, who is signed in, which calls run.
        var present: [Event] = []
    }

    private let state = Locked(State())

    public init() {}

    /// Ends every feed: nothing will come any more.
    deinit {
        for (_, listener) in state.withLock({ $0.listeners }) { listener.finish() }
    }

    /// Tells every listener.
    public func emit(_ event: Event) {
        state.withLock { state in
            state.present.removeAll { event.outdates($0) }
            if event.isPresent { state.present.append(event) }
            for (_, listener) in state.listeners { listener.take(event) }
        }
    }

    /// The present state first, and then every event from now on, until the feed is dropped.
    public func events(_ policy: ListeningPolicy<Event> = .bounded()) -> EventFeed<Event> {
        events(policy) { $0 }
    }

    /// Of the same events what `pick` makes of them; those that it makes nothing of take no room.
    ///
    /// - Parameter pick: runs where the event is emitted, and must emit nothing itself.
    public func events<Value: Sendable>(
        _ policy: ListeningPolicy<Value> = .bounded(), picking pick: @escaping @Sendable (Event) -> Value?
    ) -> EventFeed<Value> {
        let backlog = EventBacklog(policy)
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

    /// How many listen.
    public var listenerCount: Int { state.withLock { $0.listeners.count } }

    private func forget(_ number: UInt64) {
        // Out of the lock: what goes with it may emit while it goes.
        let gone = state.withLock { state in
            let gone = state.listeners.firstIndex { $0.number == number }
            return gone.map { state.listeners.remove(at: $0) }
        }
        withExtendedLifetime(gone) {}
    }
}
