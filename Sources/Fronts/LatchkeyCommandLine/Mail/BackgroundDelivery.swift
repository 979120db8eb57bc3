import LatchkeySystem

/// Starts the delivery of messages in another process, `store maintain`, once this one has answered.
///
/// If commands waited for the program that sends mail, they would take longer if an address has an account.
final class BackgroundDelivery: Sendable {
    private struct State: Sendable {
        var isInteractive = false
        /// The arguments of the delivery that starts when this process ends.
        var pending: [String]?
        var hasExitHandler = false
    }

    private let state = Locked(State())

    /// From now on, deliveries start immediately, because a process at a terminal makes many calls before it ends.
    func becomeInteractive() { state.withLock { $0.isInteractive = true } }

    /// Whether someone at a terminal answers.
    var isInteractive: Bool { state.withLock { $0.isInteractive } }

    /// Requests a delivery.
    ///
    /// - Parameter options: flags that name the store and the settings.
    func request(_ options: [String]) {
        let (isInteractive, isFirst) = state.withLock { state in
            state.pending = options
            defer { state.hasExitHandler = true }
            return (state.isInteractive, !state.hasExitHandler)
        }
        if isFirst { ExitHandlers.add { [self] in start() } }
        if isInteractive { start() }
    }

    private func start() {
        let options = state.withLock { state in
            defer { state.pending = nil }
            return state.pending
        }
        guard let options else { return }
        // A failure leaves the messages to the next command that delivers.
        try? ChildProgram.startAgain(["latchkey", "store", "maintain", "--quiet"] + options)
    }
}
