import Glibc

/// A queue from which threads take elements. They sleep while it is empty.
@safe
final class BlockingQueue<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var sleepers = 0
        var isClosed = false
    }

    private let limit: Int
    private let state = Locked(State())
    // Proof: the pointer never changes, and many threads may use a semaphore (sem_overview(7)).
    private nonisolated(unsafe) let ready: UnsafeMutablePointer<sem_t>

    /// - Parameter limit: the maximum number of waiting elements.
    init(limit: Int) {
        self.limit = limit
        unsafe ready = .allocate(capacity: 1)
        unsafe ready.initialize(to: sem_t())
        _ = unsafe sem_init(ready, 0, 0)
    }

    deinit {
        _ = unsafe sem_destroy(ready)
        unsafe ready.deinitialize(count: 1)
        unsafe ready.deallocate()
    }

    enum Offer {
        case accepted
        /// The element was accepted, but no idle thread is available to take it.
        case acceptedWithoutThread
        case full
    }

    func offer(_ element: Element) -> Offer {
        let answer: Offer = state.withLock { state in
            guard state.elements.count < limit else { return .full }
            state.elements.append(element)
            return state.elements.count > state.sleepers ? .acceptedWithoutThread : .accepted
        }
        if answer != .full { _ = unsafe sem_post(ready) }
        return answer
    }

    /// Waits for an element and removes it; nil when the queue is closed and empty.
    func take() -> Element? {
        while true {
            state.withLock { $0.sleepers += 1 }
            while unsafe sem_wait(ready) != 0 && errno == EINTR {}
            let (element, isOver): (Element?, Bool) = state.withLock { state in
                state.sleepers -= 1
                return state.elements.isEmpty ? (nil, state.isClosed) : (state.elements.removeFirst(), false)
            }
            if let element { return element }
            // After an element is withdrawn, the semaphore is higher than the number of elements.
            guard isOver else { continue }
            _ = unsafe sem_post(ready)  // for the next sleeper
            return nil
        }
    }

    /// Removes the waiting elements that satisfy `condition`.
    func withdraw(where condition: (Element) -> Bool) {
        state.withLock { $0.elements.removeAll(where: condition) }
    }

    /// Closes the queue. Waiting threads return when the queue is empty.
    func close() {
        state.withLock { $0.isClosed = true }
        _ = unsafe sem_post(ready)
    }
}
