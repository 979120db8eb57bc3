import LatchkeySystem

/// The events that one listener has not read yet, in order of arrival.
final class EventBacklog<Value: Sendable>: Sendable {
    private struct State {
        var unread: [DeliveredEvent<Value>] = []
        /// The index of the first unread event. Read events are removed in bulk.
        var first = 0
        /// The number of events dropped since the backlog became full.
        var missed = 0
        var reader: CheckedContinuation<DeliveredEvent<Value>?, Never>?
        var hasEnded = false

        var count: Int { unread.count - first }
    }

    private let limit: Int
    private let state = Locked(State())

    init(limit: Int) { self.limit = max(limit, 1) }

    func push(_ value: Value) {
        let reader = state.withLock { state -> CheckedContinuation<DeliveredEvent<Value>?, Never>? in
            guard !state.hasEnded else { return nil }
            if let reader = state.reader {
                state.reader = nil
                return reader
            }
            store(value, in: &state)
            return nil
        }
        reader?.resume(returning: .event(value))
    }

    /// The next event; nil if none has arrived. Does not wait.
    func poll() -> DeliveredEvent<Value>? { state.withLock { take(from: &$0) } }

    /// Waits for the next event; nil if the stream has ended or the task is cancelled.
    func next() async -> DeliveredEvent<Value>? {
        // During a burst no wait is needed, and setting one up costs more than the rest of this function.
        if let next = poll() { return next }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> DeliveredEvent<Value>?? in
                    if let next = take(from: &state) { return .some(next) }
                    if state.hasEnded || Task.isCancelled || state.reader != nil { return .some(nil) }
                    state.reader = continuation
                    return .none
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let reader = state.withLock { state in
                defer { state.reader = nil }
                return state.reader
            }
            reader?.resume(returning: nil)
        }
    }

    /// Ends the feed after the waiting events.
    func finish() {
        let reader = state.withLock { state in
            state.hasEnded = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    private func store(_ value: Value, in state: inout State) {
        guard state.count < limit else {
            state.missed += 1
            return
        }
        close(gapIn: &state)
        state.unread.append(.event(value))
    }

    private func close(gapIn state: inout State) {
        guard state.missed > 0 else { return }
        state.unread.append(.missed(state.missed))
        state.missed = 0
    }

    private func take(from state: inout State) -> DeliveredEvent<Value>? {
        if state.count == 0 { close(gapIn: &state) }
        guard state.count > 0 else { return nil }
        let next = state.unread[state.first]
        state.first += 1
        if state.first * 2 > state.unread.count, state.first >= 64 || state.count == 0 {
            state.unread.removeFirst(state.first)
            state.first = 0
        }
        return next
    }
}
