/// Wakes its owner at one moment, which may be moved. Its owner isolates it.
final class Ticker {
    private var deadline: FormMachine.Instant?
    private var task: Task<Void, Never>?

    /// Calls `wake` at `next` and not before; what was set before is forgotten, unless it is the same.
    func set(_ next: FormMachine.Instant?, _ wake: @escaping @Sendable () async -> Void) {
        guard next != deadline else { return }
        deadline = next
        task?.cancel()
        task = next.map { next in
            Task {
                try? await Task.sleep(until: next, clock: .continuous)
                if !Task.isCancelled { await wake() }
            }
        }
    }
}
