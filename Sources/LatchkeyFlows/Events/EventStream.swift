import LatchkeySystem

/// Hands each event to every listener in the order of emission.
///
/// Synchronous, under a lock: what emits is synchronous code, and tasks would reorder. A listener reads from a stream of
/// its own, so that a slow or dead one holds back nobody.
public final class EventStream: Sendable {
    private struct State {
        var listeners: [UInt64: AsyncStream<AccountEvent>.Continuation] = [:]
        var nextListener: UInt64 = 0
        /// What is true now, for listeners that come late: where we are, who is signed in, which calls run.
        var present: [AccountEvent] = []
    }

    private let state = Locked(State())

    public init() {}

    /// Ends every listener's stream: nothing will come any more.
    deinit {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() }
    }

    /// Tells every listener.
    public func emit(_ event: AccountEvent) {
        state.withLock { state in
            state.present.removeAll { event.outdates($0) }
            if event.isPresent { state.present.append(event) }
            for listener in state.listeners.values { listener.yield(event) }
        }
    }

    /// The present state first, and then every event from now on, until the reader ends.
    ///
    /// - Parameter policy: what is dropped where the reader falls behind; the default keeps all.
    public func events(
        _ policy: AsyncStream<AccountEvent>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<AccountEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: AccountEvent.self, bufferingPolicy: policy)
        let number = state.withLock { state in
            for event in state.present { continuation.yield(event) }
            state.listeners[state.nextListener] = continuation
            state.nextListener += 1
            return state.nextListener - 1
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { state in _ = state.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    /// How many listen.
    package var listenerCount: Int { state.withLock { $0.listeners.count } }
}

extension AccountEvent {
    /// Whether it tells how things are, and not only how they were.
    fileprivate var isPresent: Bool {
        switch self {
        case .call(.began), .navigation(.opened), .navigation(.moved), .session: true
        case .call(.ended), .call(.abandoned), .navigation(.left): false
        }
    }

    /// Whether `earlier` is no longer so after this.
    fileprivate func outdates(_ earlier: AccountEvent) -> Bool {
        switch (self, earlier) {
        case (.navigation, .navigation), (.session, .session): true
        case (.session(.signedIn), .navigation): true  // no flow is shown any more
        case (.call(.ended(let id, _, _)), .call(.began(let begun, _))),
            (.call(.abandoned(let id, _)), .call(.began(let begun, _))):
            id == begun
        default: false
        }
    }
}
