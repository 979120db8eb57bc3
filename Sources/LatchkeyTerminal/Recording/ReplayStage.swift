import LatchkeySystem

/// Gives a front what the recording has, one thing after another.
final class ReplayStage: Sendable {
    private struct State {
        var port: ReplayPort?
        var front: TerminalFront?
        var time = 0
        var wasLeft = false
    }

    private let script: ReplayScript
    private let networking: ReplayNetworking
    private let watcher: SessionReplay.Watcher?
    private let state = Locked(State())

    init(script: ReplayScript, networking: ReplayNetworking, watcher: SessionReplay.Watcher?) {
        self.script = script
        self.networking = networking
        self.watcher = watcher
    }

    func open(_ port: ReplayPort, _ front: TerminalFront) {
        state.withLock { state in
            state.port = port
            state.front = front
        }
    }

    /// Whether the watcher wanted no more.
    var wasLeft: Bool { state.withLock { $0.wasLeft } }

    /// The front asks for this when it has dealt with the input before.
    func next() async -> TerminalInput? {
        let (port, front) = state.withLock { ($0.port, $0.front) }
        guard let port, let front else { return nil }
        while true {
            switch script.next() {
            case .end: return leave()
            case .input(let input, let time):
                guard await wait(until: time) else { return leave() }
                port.prepare(for: input)
                guard case .key(.tick) = input else { return input.input }
                await front.receive(.tick)
            case .response(let response, let time):
                guard await wait(until: time) else { return leave() }
                guard networking.answer(response) else {
                    script.lackNext()
                    return leave()
                }
                // Until whoever was answered has dealt with it, and whoever waited for that has called.
                while await front.callCount > networking.waitingCount { await Task.yield() }
            }
        }
    }

    private func wait(until time: Int) async -> Bool {
        let before = state.withLock { state in
            defer { state.time = time }
            return state.time
        }
        guard let watcher else { return true }
        if await watcher.wait(.milliseconds(time - before)) { return true }
        state.withLock { $0.wasLeft = true }
        return false
    }

    /// The front goes when nothing more comes; it need not be kept for that.
    private func leave() -> TerminalInput? {
        state.withLock { $0.front = nil }
        return nil
    }
}
