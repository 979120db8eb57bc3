import LatchkeySecrets
import LatchkeySystem

/// A terminal that is none: it is as large as the recording says, and hands on what is drawn to whoever watches.
final class ReplayPort: TerminalPort {
    private struct State {
        var size: TerminalSize
        var echoes = false
    }

    private let state: Locked<State>
    private let watcher: (any TerminalOutput)?
    private let next: @Sendable () async -> TerminalInput?

    /// - Parameter next: what comes, when all before has been dealt with; nil at the end.
    init(
        _ size: TerminalSize, watchedOn watcher: (any TerminalOutput)?,
        next: @escaping @Sendable () async -> TerminalInput?
    ) {
        state = Locked(State(size: size))
        self.watcher = watcher
        self.next = next
    }

    var size: TerminalSize { state.withLock { $0.size } }

    /// What the terminal itself does before the front has it.
    func prepare(for input: RecordedInput) {
        switch input {
        case .resized(let size): state.withLock { $0.size = size }
        case .line(let line):
            guard let watcher, state.withLock({ $0.echoes }) else { return }
            line.secret.withBytes { watcher.write($0) }
            watcher.write("\n")
        case .key, .insert, .paste, .answer, .overlongLine, .endOfInput, .signal, .hungUp: break
        }
    }

    func begin(_ mode: TerminalMode) -> Bool { true }
    func inputs() -> AsyncStream<TerminalInput> { AsyncStream(unfolding: next) }
    func setEcho(_ isOn: Bool) { state.withLock { $0.echoes = isOn } }
    func write(_ bytes: Span<UInt8>) { watcher?.write(bytes) }
    func suspend() {}
    func resume() {}
    func end() {}
}
