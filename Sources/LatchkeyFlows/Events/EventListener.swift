/// Keeps a listener; dropping or cancelling it ends the listener.
public final class EventListener: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }

    deinit { task.cancel() }

    public func cancel() { task.cancel() }

    /// Waits until it has ended: cancelled, thrown, or with the stream.
    public func wait() async { await task.value }
}
