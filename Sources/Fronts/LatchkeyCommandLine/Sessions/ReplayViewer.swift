import LatchkeySystem
import LatchkeyTerminal

/// Shows a replay in the terminal, at a given speed or one step per key.
final class ReplayViewer: Sendable {
    private let device: TerminalDevice
    /// How many times faster than recorded; 0 for no waiting, nil for one step per key.
    private let speed: Double?
    private let keys = AsyncStream.makeStream(of: Void.self)
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
        // Without waiting, the terminal is not taken over.
        guard speed != 0 else { return }
        guard device.begin(.keys) else { return nil }
        // Keys such as Ctrl-C work during the waits too. `end` ends this task.
        Task {
            let ending: TerminalEnding<Never> = await TerminalLoop(device).run { event in
                switch event {
                case .input(.action(.key(.cancel))), .input(.endOfInput): return .left
                case .input(.action), .input(.line), .input(.overlongLine): keys.continuation.yield()
                case .begin, .input, .refresh, .suspend, .redraw: break
                }
                return nil
            }
            state.withLock { state in
                state.ending = ending
                state.pause?.cancel()
            }
            keys.continuation.finish()
        }
    }

    var watcher: SessionReplay.Watcher {
        SessionReplay.Watcher(output: device) { [self] time in
            switch speed {
            case nil: await nextKey()
            case 0: true
            case let speed?: await passes(time / speed)
            }
        }
    }

    /// Nil if the replay was shown to its end.
    var ending: TerminalEnding<Never>? { state.withLock { $0.ending } }

    func end() { if speed != 0 { device.end() } }

    /// Waits for the next key. Returns false if the user leaves.
    private func nextKey() async -> Bool {
        for await _ in keys.stream { return true }
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
