public import LatchkeySystem

/// Keeps the terminal from one screen of a program to the next.
///
/// Each screen takes over the terminal and restores it. If a program does something between two of its screens, keys that
/// arrive then would be echoed and lost, and a signal would end the process. A held terminal keeps both for the next
/// screen, so that a program can also store what the user has typed before it ends:
///
/// ```swift
/// let terminal = HeldTerminal(device)
/// defer { terminal.release() }
/// let ending = await FormPrompt(form: form, port: terminal, environment: environment).run()
/// // … stores a draft, and shows the next screen on `terminal`.
/// ```
public final class HeldTerminal: TerminalPort {
    private struct State {
        /// The mode in which the terminal was taken over; nil before the first screen.
        var mode: TerminalMode?
        var isInUse = false
        /// Whether the user's editor has the terminal.
        var isLent = false
        /// The number of screens so far. Earlier screens receive no more input.
        var screen = 0
        var inputs: AsyncStream<TerminalInput>?
        /// Input for the next screen that an earlier screen has already read.
        var unhandled: [TerminalInput] = []
    }

    private let port: any TerminalPort
    private let state = Locked(State())

    /// - Parameter port: the terminal, not yet taken over.
    public init(_ port: any TerminalPort) { self.port = port }

    /// Restores the terminal and discards unread input. The next screen takes it over again.
    public func release() {
        state.withLock { $0 = State(screen: $0.screen + 1) }
        port.end()
    }

    public var size: TerminalSize { port.size }

    public func begin(_ mode: TerminalMode) -> Bool {
        if state.withLock({ $0.isInUse }) { return false }
        if state.withLock({ $0.mode }) != mode {
            release()
            guard port.begin(mode) else { return false }
            let inputs = port.inputs()
            state.withLock { state in
                state.mode = mode
                state.inputs = inputs
            }
        }
        state.withLock { $0.isInUse = true }
        return true
    }

    public func inputs() -> AsyncStream<TerminalInput> {
        let screen = state.withLock { $0.screen }
        return AsyncStream { [self] in await next(for: screen) }
    }

    private func next(for screen: Int) async -> TerminalInput? {
        let (unhandled, inputs) = state.withLock { state -> (TerminalInput?, AsyncStream<TerminalInput>?) in
            guard state.screen == screen else { return (nil, nil) }
            return state.unhandled.isEmpty ? (nil, state.inputs) : (state.unhandled.removeFirst(), nil)
        }
        if let unhandled { return unhandled }
        var iterator = inputs?.makeAsyncIterator()
        guard let input = await iterator?.next() else { return nil }
        return state.withLock { state in
            switch input {
            case .action(.edited), .action(.key(.editorFailed)): state.isLent = false
            default: break
            }
            if state.screen == screen { return input }
            if case .action(.key(.tick)) = input { return nil }
            state.unhandled.append(input)
            return nil
        }
    }

    public func end() {
        let (wasInUse, isLent) = state.withLock { state in
            defer {
                if state.isInUse { state.screen += 1 }
                state.isInUse = false
            }
            return (state.isInUse, state.isLent)
        }
        guard wasInUse else { return }
        // Restoring the terminal ends the editor.
        if isLent { return release() }
        port.setEcho(false)
        port.showAlternateScreen(false)
        // Wakes a screen that is waiting for input, so that it ends.
        _ = port.tick()
    }

    public func putBack(_ inputs: [TerminalInput]) { state.withLock { $0.unhandled = inputs + $0.unhandled } }

    public func tick() -> Bool { port.tick() }
    public func setEcho(_ isOn: Bool) { port.setEcho(isOn) }
    public func showAlternateScreen(_ isOn: Bool) { port.showAlternateScreen(isOn) }
    public func suspend() { port.suspend() }
    public func resume() { port.resume() }
    public func edit(_ text: [UInt8], with editor: TextEditor) {
        state.withLock { $0.isLent = true }
        port.edit(text, with: editor)
    }
    public func write(_ bytes: Span<UInt8>) { port.write(bytes) }
}
