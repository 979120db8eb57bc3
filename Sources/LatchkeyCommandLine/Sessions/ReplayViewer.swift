import Glibc
import LatchkeySystem
import LatchkeyTerminal

/// Shows a replay in the terminal, at a given speed or one step per key.
final class ReplayViewer: Sendable {
    private let device: TerminalDevice
    /// How many times faster than recorded; 0 for no waiting, nil for one step per key.
    private let speed: Double?
    /// The terminal's input; nil if the replay never waits.
    private let inputs: AsyncStream<TerminalInput>?
    private let state = Locked(State())

    private struct State {
        var ending: TerminalEnding<Never>?
        /// The wait before the next input.
        var pause: Task<Void, Never>?
    }

    /// - Parameter speed: 0 for no waiting; nil for one step per key.
    /// - Returns: nil if the terminal is gone.
    init?(on device: TerminalDevice, speed: Double?) {
        self.device = device
        self.speed = speed
        guard speed != 0 else {
            inputs = nil
            return
        }
        guard device.begin(.keys) else { return nil }
        let inputs = device.inputs()
        self.inputs = inputs
        // Keys such as Ctrl-C work during the waits too. `end` ends this task.
        if speed != nil { Task { while await goesOn(by: inputs) {} } }
    }

    var watcher: SessionReplay.Watcher {
        SessionReplay.Watcher(output: device) { [self] time in
            guard let inputs else { return true }
            guard let speed else { return await goesOn(by: inputs) }
            return await passes(time / speed)
        }
    }

    /// Nil if the replay was shown to its end.
    var ending: TerminalEnding<Never>? { state.withLock { $0.ending } }

    func end() { if inputs != nil { device.end() } }

    /// Waits for the next key. Returns false if the user leaves.
    private func goesOn(by inputs: AsyncStream<TerminalInput>) async -> Bool {
        for await input in inputs {
            switch input {
            case .action(.key(.interrupt)): return leave(.killed(by: SIGINT))
            case .action(.key(.quit)): return leave(.killed(by: SIGQUIT))
            case .hungUp: return leave(.hungUp)
            case .action(.key(.cancel)), .endOfInput: return leave(.left)
            case .action(.key(.suspend)), .signal(SIGTSTP): device.suspend()
            case .signal(SIGCONT): device.resume()
            case .signal(let signal): return leave(.killed(by: signal))
            case .resized: break
            case .action, .line, .overlongLine: return true
            }
        }
        return leave(.left)
    }

    private func leave(_ ending: TerminalEnding<Never>) -> Bool {
        state.withLock { state in
            if state.ending == nil { state.ending = ending }
            state.pause?.cancel()
        }
        return false
    }

    /// Waits. Returns false if the user leaves meanwhile.
    private func passes(_ time: Duration) async -> Bool {
        let pause = state.withLock { state -> Task<Void, Never>? in
            guard state.ending == nil else { return nil }
            let pause = Task { _ = try? await Task.sleep(for: time) }
            state.pause = pause
            return pause
        }
        await pause?.value
        return ending == nil
    }
}
