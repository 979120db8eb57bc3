import LatchkeySystem

/// Requests that a ``ScreenLoop`` shows its frame again, because the program's data has changed.
///
/// It can be called from any thread and as often as you like. Requests are combined until the loop shows the frame.
public final class ScreenRefresh: Sendable {
    private struct State {
        var isRequested = false
        var rings = false
        var isLeaving = false
        /// News for a terminal without keys.
        var news: [String] = []
        /// Whether the loop has accepted the request.
        var wake: (@Sendable () -> Bool)?
    }

    private let state = Locked(State())

    /// Creates a refresh that no loop uses yet.
    public init() {}

    /// Requests a new frame.
    ///
    /// - Parameter ringing: whether to ring the bell, because an awaited result has arrived.
    public func request(ringing: Bool = false) {
        state.withLock { state in
            if ringing { state.rings = true }
            guard !state.isRequested else { return }
            state.isRequested = state.wake?() ?? true
        }
    }

    /// Requests a new frame. A terminal without keys shows no frame before the next line, so there `news` is written at
    /// once.
    public func announce(_ news: String) {
        state.withLock { $0.news.append(news) }
        request()
    }

    /// Ends the loop as if the user had quit, for example because the session has ended.
    public func leave() {
        state.withLock { $0.isLeaving = true }
        request()
    }

    var isLeaving: Bool { state.withLock { $0.isLeaving } }

    /// The news since the last call.
    func takeNews() -> [String] {
        state.withLock { state in
            defer { state.news = [] }
            return state.news
        }
    }

    /// Whether to ring the bell now.
    func takeBell() -> Bool {
        state.withLock { state in
            defer { state.rings = false }
            return state.rings
        }
    }

    func attach(_ wake: @escaping @Sendable () -> Bool) {
        state.withLock { state in
            state.wake = wake
            if state.isRequested { state.isRequested = wake() }
        }
    }

    /// The loop calls this before it shows a frame. Later changes need a new request.
    func clear() { state.withLock { $0.isRequested = false } }

    func detach() { state.withLock { $0.wake = nil } }
}
