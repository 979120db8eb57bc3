import LatchkeyFlows
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem

/// Feeds the recorded input to a front, one input at a time.
final class ReplayFeed: Sendable {
    private struct State {
        var port: ReplayPort?
        var front: TerminalFront?
        var time = 0
        var wasStopped = false
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

    /// Whether the watcher stopped the replay.
    var wasStopped: Bool { state.withLock { $0.wasStopped } }

    /// The next input. The front asks for it after it has handled the one before.
    func next() async -> TerminalInput? {
        let (port, front) = state.withLock { ($0.port, $0.front) }
        guard let port, let front else { return nil }
        while true {
            switch script.next() {
            case .end: return finish()
            case .input(let input, let time):
                guard await wait(until: time) else { return finish() }
                port.prepare(for: input)
                return input.input
            case .response(let response, let time):
                guard await wait(until: time) else { return finish() }
                guard networking.answer(response) else {
                    script.reportMissing()
                    return finish()
                }
                // Wait until the front has handled the response, and until a call that waited for it has begun.
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
        state.withLock { $0.wasStopped = true }
        return false
    }

    /// Ends the input, and releases the front, which holds the port and so this feed.
    private func finish() -> TerminalInput? {
        state.withLock { $0.front = nil }
        return nil
    }
}

/// A terminal with the recorded size, which passes its output on to the watcher.
final class ReplayPort: TerminalPort {
    private struct State {
        var size: TerminalSize
        var echoes = false
    }

    private let state: Locked<State>
    private let watcher: (any TerminalOutput)?
    private let next: @Sendable () async -> TerminalInput?

    /// - Parameter next: the next input; nil at the end.
    init(
        _ size: TerminalSize, watchedOn watcher: (any TerminalOutput)?,
        next: @escaping @Sendable () async -> TerminalInput?
    ) {
        state = Locked(State(size: size))
        self.watcher = watcher
        self.next = next
    }

    var size: TerminalSize { state.withLock { $0.size } }

    /// Does what a terminal does before the program receives the input: resizes or echoes.
    func prepare(for input: RecordedInput) {
        switch input {
        case .resized(let size): state.withLock { $0.size = size }
        case .line(let line):
            guard let watcher, state.withLock({ $0.echoes }) else { return }
            line.secret.withBytes { watcher.write($0) }
            watcher.write("\n")
        case .key, .follow, .followLink, .insert, .paste, .answer, .edited, .overlongLine, .endOfInput, .signal,
            .hungUp:
            break
        }
    }

    func begin(_ mode: TerminalMode) -> Bool { true }
    func inputs() -> AsyncStream<TerminalInput> { AsyncStream(unfolding: next) }
    // The recording contains the ticks.
    func tick() -> Bool { true }
    func setEcho(_ isOn: Bool) { state.withLock { $0.echoes = isOn } }
    func write(_ bytes: Span<UInt8>) { watcher?.write(bytes) }
    func suspend() {}
    // The recording contains the edited text.
    func edit(_ text: [UInt8], with editor: TextEditor) {}
    func resume() {}
    func end() {}
}

/// Answers each call with the recorded response, when the recording gets there.
final class ReplayNetworking: Networking {
    private let script: ReplayScript
    private let waiting = Locked<[CheckedContinuation<NetworkResponse, Never>]>([])

    init(_ script: ReplayScript) { self.script = script }

    /// The number of calls that wait for a response.
    var waitingCount: Int { waiting.withLock(\.count) }

    func perform(call: AccountType, with credentials: Credentials) async -> NetworkResponse {
        // A call that was answered before any other input must be answered at once.
        if let response = script.nextResponse() { return response }
        return await withCheckedContinuation { continuation in waiting.withLock { $0.append(continuation) } }
    }

    /// - Returns: false if no call is waiting.
    func answer(_ response: NetworkResponse) -> Bool {
        let continuation = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        continuation?.resume(returning: response)
        return continuation != nil
    }

    /// Ends calls whose responses are not in the recording.
    func finish() { while answer(.unavailable()) {} }
}
