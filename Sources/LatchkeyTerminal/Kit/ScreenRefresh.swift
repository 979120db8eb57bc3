import LatchkeySystem

/// Asks a ``ScreenLoop`` to show its frame again: what it shows has changed by itself.
///
/// From any thread, as often as one likes: requests that are not met yet are one.
public final class ScreenRefresh: Sendable {
    private struct State {
        var isRequested = false
        /// Answers whether the request will be heard.
        var wake: (@Sendable () -> Bool)?
    }

    private let state = Locked(State())

    public init() {}

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

    /// What changes from now on has to be requested again.
    func meet() { state.withLock { $0.isRequested = false } }

    func detach() { state.withLock { $0.wake = nil } }
}
