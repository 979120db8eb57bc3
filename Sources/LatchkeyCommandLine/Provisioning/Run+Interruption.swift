import Glibc
import LatchkeyForms
import LatchkeySystem
import LatchkeyTerminal

extension Run {
    /// Does work that comes to a good end first where a signal asks for its end: whatever it does, it calls
    /// ``ToolFailure/throwInterruption(_:_:_:)`` where it can stop.
    func endingWell(_ work: () async throws(ToolFailure) -> Void) async throws(ToolFailure) {
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
    /// Ends the command where a signal has asked for it.
    ///
    /// - Parameters:
    ///   - values: of the sentence, which tells what is done.
    ///   - members: the same for `--json`.
    static func throwInterruption(
        _ code: String, _ values: [String: RuleFailure.Value] = [:], _ members: [(key: String, value: JSONValue)] = []
    ) throws(ToolFailure) {
        guard let signal = SignalNotice.received else { return }
        var failure = ToolFailure(.unavailable, code, values)
        failure.members = members
        failure.signal = signal
        throw failure
    }
}
