import Glibc

/// Handles the input of a terminal until the session ends. Forms, menus and custom screens all run in it.
///
/// The loop itself handles Ctrl-C, Ctrl-\, Ctrl-Z, signals and the closing of the terminal.
package struct TerminalLoop {
    private let port: any TerminalPort

    /// An event for a screen.
    package enum Event: Sendable {
        /// Show the screen for the first time.
        case begin
        /// A key, a line, the end of input, or a new size.
        case input(TerminalInput)
        /// Time has passed, or the program's data has changed.
        case refresh
        /// Hide secrets, because the program is about to be suspended.
        case suspend
        /// Redraw everything.
        case redraw
    }

    /// - Parameter port: the terminal, which the caller has already taken over and later restores.
    package init(_ port: any TerminalPort) { self.port = port }

    /// Handles input until `handle` returns an ending, a signal arrives, or the terminal is closed.
    ///
    /// - Parameters:
    ///   - given: the input of the terminal; nil to begin reading it.
    ///   - refresh: adds an ``Event/refresh`` for each request.
    ///   - isRunning: called before each input is handled. If it returns false, the input is dropped.
    package func run<Value>(
        reading given: AsyncStream<TerminalInput>? = nil, refreshing refresh: ScreenRefresh = ScreenRefresh(),
        while isRunning: (TerminalInput) -> Bool = { _ in true },
        handling handle: (Event) async -> TerminalEnding<Value>?
    ) async -> TerminalEnding<Value> {
        let inputs = given ?? port.inputs()
        refresh.attach { [port] in port.tick() }
        defer { refresh.detach() }
        if let ending = await handle(.begin) { return ending }
        for await input in inputs {
            guard isRunning(input) else { continue }
            let event: Event
            switch input {
            case .action(.key(.interrupt)): return .killed(by: SIGINT)
            case .action(.key(.quit)): return .killed(by: SIGQUIT)
            case .action(.key(.suspend)), .signal(SIGTSTP):
                if let ending = await handle(.suspend) { return ending }
                port.suspend()
                event = .redraw
            case .signal(SIGCONT):
                port.resume()
                event = .redraw
            case .signal(let number): return .killed(by: number)
            case .hungUp: return .hungUp
            case .action(.key(.redraw)): event = .redraw
            case .action(.key(.tick)):
                refresh.clear()
                event = .refresh
            case .action, .line, .overlongLine, .endOfInput, .resized: event = .input(input)
            }
            if let ending = await handle(event) { return ending }
        }
        return .hungUp
    }
}
