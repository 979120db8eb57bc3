import LatchkeySystem
import LatchkeyTerminal

/// Somebody who watches a replay in the terminal: at a pace, or a step at a key.
final class ReplayViewer: Sendable {
    private let device: TerminalDevice
    private let speed: Double?
    /// What the terminal gives while one waits for keys; nil where one does not.
    private let inputs: AsyncStream<TerminalInput>?
    private let left = Locked(false)

    /// - Parameter speed: 0 for no waiting; nil for a key at each step.
    /// - Returns: nil where the terminal is gone.
    init?(on device: TerminalDevice, speed: Double?) {
        self.device = device
        self.speed = speed
        guard speed == nil else {
            inputs = nil
            return
        }
        guard device.begin(.keys) else { return nil }
        inputs = device.inputs()
    }

    var watcher: SessionReplay.Watcher {
        SessionReplay.Watcher(output: device) { [self] time in
            if let inputs { return await hasGoneOn(by: inputs) }
            if let speed, speed > 0 { try? await Task.sleep(for: time / speed) }
            return true
        }
    }

    /// Whether the person wanted no more of it.
    var wasLeft: Bool { left.withLock { $0 } }

    func end() { if inputs != nil { device.end() } }

    private func hasGoneOn(by inputs: AsyncStream<TerminalInput>) async -> Bool {
        for await input in inputs {
            switch input {
            case .key(.interrupt), .key(.quit), .key(.cancel), .signal, .hungUp, .endOfInput:
                left.withLock { $0 = true }
                return false
            case .key, .line, .overlongLine: return true
            case .resized: continue
            }
        }
        left.withLock { $0 = true }
        return false
    }
}
