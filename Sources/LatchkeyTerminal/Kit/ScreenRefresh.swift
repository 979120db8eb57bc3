import LatchkeySystem

/// Asks a ``ScreenLoop`` to show its frame again, because the program's data has changed.
///
/// Can be called from any thread, as often as you like: requests are combined until the loop shows the frame.
public final class ScreenRefresh: Sendable {
    private struct State {
        var isRequested = false
        /// Returns whether the loop has accepted the request.
        var wake: (@Sendable () -> Bool)?
    }

    private let state = Locked(State())

    public init() {}

    /// Requests a new frame.
    public func request() {
        state.withLock { state in
            guard !state.isRequested else { return }
            state.isRequested = state.wake?() ?? true
        }
    }

    func attach(_ wake: @escaping @Sendable () -> Bool) {
        state.withLock { state in
            state.wake = wake
            if state.isRequested { state.isRequested = wake() }
        }
    }

    /// Called by the loop before it shows a frame. Later changes need a new request.
    func clear() { state.withLock { $0.isRequested = false } }

    func detach() { state.withLock { $0.wake = nil } }
}
