import LatchkeySystem

/// Starts the delivery of messages in another process, `store maintain`, after this process has responded.
///
/// If commands waited for the program that sends mail, a slow response would reveal that an address has an account.
final class BackgroundDelivery: Sendable {
    private struct State: Sendable {
        var isInteractive = false
        /// The arguments of the delivery to start when this process exits.
        var pending: [String]?
        var hasExitHandler = false
    }

    private let state = Locked(State())

    /// Makes deliveries start immediately from now on, because a process at a terminal makes many calls before it
    /// exits.
    func becomeInteractive() { state.withLock { $0.isInteractive = true } }

    /// Whether the process runs interactively at a terminal.
    var isInteractive: Bool { state.withLock { $0.isInteractive } }

    /// Requests a delivery.
    ///
    /// - Parameter options: the flags that specify the store and the settings.
    func request(_ options: [String]) {
        let (isInteractive, isFirst) = state.withLock { state in
            state.pending = options
            defer { state.hasExitHandler = true }
            return (state.isInteractive, !state.hasExitHandler)
        }
        if isFirst { ExitHandlers.add { [self] in start() } }
        if isInteractive { start() }
    }

    /// Starts the requested delivery now, because the command waits for its result.
    func start() {
        let options = state.withLock { state in
            defer { state.pending = nil }
            return state.pending
        }
        guard let options else { return }
        // If this fails, the next command that delivers sends the messages.
        try? ChildProgram.startAgain(["latchkey", "store", "maintain", "--quiet"] + options)
    }
}
