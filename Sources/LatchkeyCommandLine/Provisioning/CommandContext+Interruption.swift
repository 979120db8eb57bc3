import Glibc
import LatchkeyForms
import LatchkeySystem
import LatchkeyTerminal

extension CommandContext {
    /// Does work that reaches a consistent state before a signal ends the process. The work calls
    /// ``ToolFailure/throwInterruption(_:)`` wherever it can stop.
    func finishingOnSignal(_ work: () async throws(ToolFailure) -> Void) async throws(ToolFailure) {
        SignalNotice.watch([SIGINT, SIGTERM, SIGHUP])
        do throws(ToolFailure) {
            try await work()
        } catch {
            guard let signal = error.signal else { throw error }
            output.failure(error, messages)
            TerminalDevice.die(of: signal)
        }
    }
}

extension ToolFailure {
    /// Throws `failure` if a signal has interrupted the command.
    static func throwInterruption(_ failure: (Signal) -> ToolFailure) throws(ToolFailure) {
        if let signal = SignalNotice.received { throw failure(signal) }
    }
}
