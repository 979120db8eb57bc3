import Glibc
import LatchkeySecrets
public import LatchkeySystem
public import LatchkeyTerminal
public import Testing

/// A terminal in memory. The test types input and reads the output.
public final class ScriptedTerminal: TerminalPort {
    private struct State {
        var size: TerminalSize
        var mode: TerminalMode?
        var echoes = false
        var suspensions = 0
        var lent: [[UInt8]] = []
        var output: [UInt8] = []
        var seen = 0
        var continuation: AsyncStream<TerminalInput>.Continuation?
        /// Input for the next ``ScriptedTerminal/inputs()``.
        var unhandled: [TerminalInput] = []
        var waiting: (text: [UInt8], continuation: CheckedContinuation<Bool, Never>)?
        /// The number of texts expected so far.
        var expectations = 0
        /// Whether an expected text did not arrive. Later texts are then not waited for.
        var isGivenUp = false
    }

    private let state: Locked<State>

    /// Creates a terminal of this size.
    public init(columns: Int = 80, rows: Int = 24) {
        state = Locked(State(size: TerminalSize(columns: columns, rows: rows)))
    }

    public var size: TerminalSize { state.withLock { $0.size } }
    /// How often the program was suspended.
    public var suspensions: Int { state.withLock { $0.suspensions } }
    /// The texts passed to the editor.
    public var lent: [String] { state.withLock { $0.lent.map { String(decoding: $0, as: UTF8.self) } } }
    /// Whether a program uses the terminal.
    public var isTaken: Bool { state.withLock { $0.mode != nil } }
    /// Whether typed lines are echoed.
    public var echoes: Bool { state.withLock { $0.echoes } }
    /// The bytes that the program has written.
    public var output: [UInt8] { state.withLock { $0.output } }
    /// The output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }

    public func begin(_ mode: TerminalMode) -> Bool {
        state.withLock { state in
            guard state.mode == nil else { return false }
            state.mode = mode
            return true
        }
    }

    public func inputs() -> AsyncStream<TerminalInput> {
        let (stream, continuation) = AsyncStream.makeStream(of: TerminalInput.self)
        state.withLock { state in
            for input in state.unhandled { continuation.yield(input) }
            state.unhandled = []
            state.continuation = continuation
        }
        return stream
    }

    public func tick() -> Bool {
        send(.action(.key(.tick)))
        return true
    }

    public func setEcho(_ isOn: Bool) { state.withLock { $0.echoes = isOn } }

    public func write(_ bytes: Span<UInt8>) {
        let copy = bytes.indices.map { bytes[$0] }
        record(copy)
    }

    public func showAlternateScreen(_ isOn: Bool) { record(Array("\u{1B}[?1049\(isOn ? "h" : "l")".utf8)) }

    public func suspend() { state.withLock { $0.suspensions += 1 } }
    public func resume() {}
    public func edit(_ text: [UInt8], with editor: TextEditor) { state.withLock { $0.lent.append(text) } }

    public func end() {
        state.withLock { state in
            state.mode = nil
            state.continuation?.finish()
        }
    }

    public func putBack(_ inputs: [TerminalInput]) { state.withLock { $0.unhandled = inputs } }

    // MARK: The test's side

    /// Passes an input to the program.
    public func send(_ input: TerminalInput) { _ = state.withLock { $0.continuation?.yield(input) } }

    /// Changes the size, and reports it to the program.
    public func resize(columns: Int, rows: Int) {
        state.withLock { $0.size = TerminalSize(columns: columns, rows: rows) }
        send(.resized)
    }

    /// Types keys as the bytes that a terminal sends.
    public func type(_ keys: String) {
        var decoder = KeyDecoder()
        decoder.decode(keys.utf8Span.span) { send(.action($0)) }
        decoder.finish { send(.action($0)) }
    }

    /// Types a line, which is echoed as in a terminal.
    public func enter(_ line: String) {
        if echoes { record(Array(line.utf8) + [0x0A]) }
        send(.line(Secret(line)))
    }

    /// The output since the last call.
    public func takeOutput() -> [UInt8] {
        state.withLock { state in
            defer {
                state.output = []
                state.seen = 0
            }
            return state.output
        }
    }

    private func record(_ bytes: [UInt8]) {
        let woken = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            state.output += bytes
            guard let waiting = state.waiting, Self.find(waiting.text, &state) else { return nil }
            state.waiting = nil
            return waiting.continuation
        }
        woken?.resume(returning: true)
    }

    /// Waits for `text` in the output after the previously expected text. At the deadline, it records the content of
    /// the screen and hangs up, so that the test ends.
    public func expect(
        _ text: String, within deadline: Duration = .seconds(600), sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let number = state.withLock { state in
            state.expectations += 1
            return state.expectations
        }
        let timer = Task {
            try await Task.sleep(for: deadline)
            // On a busy machine, the code that the test waits for may not have had a thread either.
            for _ in 0..<1000 { await Task.yield() }
            giveUp(number)
        }
        defer { timer.cancel() }
        let isShown = await withCheckedContinuation { continuation in
            let answer = state.withLock { state -> Bool? in
                if Self.find(Array(text.utf8), &state) { return true }
                if state.isGivenUp { return false }
                state.waiting = (Array(text.utf8), continuation)
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
        guard !isShown else { return }
        Issue.record("waited in vain for \(text.debugDescription); shown:\n\(shown)", sourceLocation: sourceLocation)
        send(.hungUp)
    }

    private func giveUp(_ number: Int) {
        let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard state.expectations == number, let waiting = state.waiting else { return nil }
            state.isGivenUp = true
            state.waiting = nil
            return waiting.continuation
        }
        waiting?.resume(returning: false)
    }

    /// The screen, or for a terminal in line mode all of its lines.
    private var shown: String {
        guard state.withLock({ $0.mode != .lines }) else { return text }
        var screen = VTScreen(columns: size.columns, rows: size.rows)
        screen.feed(output)
        return screen.text
    }

    private static func find(_ text: [UInt8], _ state: inout State) -> Bool {
        guard let range = state.output[state.seen...].firstRange(of: text) else { return false }
        state.seen = range.upperBound
        return true
    }
}
