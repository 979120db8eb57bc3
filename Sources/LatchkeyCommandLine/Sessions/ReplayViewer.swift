import Glibc
import LatchkeySystem
import LatchkeyTerminal

/// Somebody who watches a replay in the terminal: at a pace, or a step at a key.
final class ReplayViewer: Sendable {
    /// Why there is no more to be seen.
    enum Ending: Equatable, Sendable {
        case left
        case killed(by: Int32)
    }

    private let device: TerminalDevice
    /// By how much it goes faster than it was; nil for a key at each step.
    private let speed: Double?
    /// What the terminal gives; nil where nothing is waited for.
    private let inputs: AsyncStream<TerminalInput>?
    private let state = Locked(State())

    private struct State {
        var ending: Ending?
        /// Between one thing and the next.
        var pause: Task<Void, Never>?
    }

    /// - Parameter speed: 0 for no waiting; nil for a key at each step.
    /// - Returns: nil where the terminal is gone.
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
        // Where time goes on by itself, keys are heard beside it; `end` lets go of them.
        if speed != nil { Task { while await goesOn(by: inputs) {} } }
    }

    var watcher: SessionReplay.Watcher {
        SessionReplay.Watcher(output: device) { [self] time in
            guard let inputs else { return true }
            guard let speed else { return await goesOn(by: inputs) }
            return await passes(time / speed)
        }
    }

    /// Nil where the person has seen all of it.
    var ending: Ending? { state.withLock { $0.ending } }

    func end() { if inputs != nil { device.end() } }

    /// Whether it does after the next key.
    private func goesOn(by inputs: AsyncStream<TerminalInput>) async -> Bool {
        for await input in inputs {
            switch input {
            case .key(.interrupt): return leave(.killed(by: SIGINT))
            case .key(.quit): return leave(.killed(by: SIGQUIT))
            case .hungUp: return leave(.killed(by: SIGHUP))
            case .key(.cancel), .endOfInput: return leave(.left)
            case .key(.suspend), .signal(SIGTSTP): device.suspend()
            case .signal(SIGCONT): device.resume()
            case .signal(let signal): return leave(.killed(by: signal))
            case .resized: break
            case .key, .line, .overlongLine: return true
            }
        }
        return leave(.left)
    }

    private func leave(_ ending: Ending) -> Bool {
        state.withLock { state in
            if state.ending == nil { state.ending = ending }
            state.pause?.cancel()
        }
        return false
    }

    /// Whether it did, and nobody has left meanwhile.
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
