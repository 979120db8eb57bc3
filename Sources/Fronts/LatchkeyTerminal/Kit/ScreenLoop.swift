public import LatchkeyForms
import LatchkeySecrets
import LatchkeyText

/// Runs a program's custom screen: shows its frame after each key and after each `ScreenRefresh.request()`.
///
/// Each typed character is an action, even if the terminal delivers several at once. So each is handled in the mode that
/// the one before it has left. When one ends the loop, the others go to the screen that takes over the terminal next, for
/// example to the form that the key has opened.
///
/// The loop handles interrupts, suspending, continuing and resizing. On a terminal without keys, it writes the frame as
/// plain text after each line. A line arrives as ``Action/answer(_:)``, an empty line as ``Action/Key/submit``, and `<` or
/// the end of input as ``Action/Key/cancel``. A line that begins with `\<` is an answer that begins with `<`.
///
/// ```swift
/// var count = 0
/// let ending: TerminalEnding<Int> = await ScreenLoop(port: device, environment: environment).run(
///     frame: { columns in
///         var builder = FrameBuilder(columns: columns)
///         builder.text("\(count)", .title)
///         return builder.frame
///     },
///     handling: { action in
///         if case .key(.cancel) = action { return .finish(count) }
///         count += 1
///         return .stay
///     })
/// ```
public struct ScreenLoop {
    private let port: any TerminalPort
    private let environment: TerminalEnvironment
    private let messages: MessageTable

    /// The step after an action.
    public enum Step<Value> {
        /// Shows the frame again.
        case stay
        /// Rings the bell, because the key has no effect.
        case bell
        /// Ends with a result.
        case finish(Value)
        /// Ends without a result.
        case leave
    }

    /// - Parameters:
    ///   - port: the terminal, not yet taken over.
    ///   - environment: the description of the terminal.
    ///   - messages: the sentences.
    public init(port: any TerminalPort, environment: TerminalEnvironment, messages: MessageTable = .english) {
        self.port = port
        self.environment = environment
        self.messages = messages.completedForTerminal
    }

    /// Takes over the terminal until `handle` finishes or leaves, and restores it.
    ///
    /// - Parameters:
    ///   - refresh: requests a new frame when the program's data changes.
    ///   - frame: builds the current frame for a terminal with this number of columns.
    ///   - handle: performs one action.
    public func run<Value>(
        refreshing refresh: ScreenRefresh = ScreenRefresh(), frame: (_ columns: Int) -> Frame,
        handling handle: (Action) async -> Step<Value>
    ) async -> TerminalEnding<Value> {
        let screen = FrameScreen(port: port, environment: environment, messages: messages)
        guard port.begin(screen.renderer == nil ? .lines : .keys) else { return .hungUp }
        let inputs = port.inputs()
        // What the user typed after the action that ended the loop; nil if something else ended it.
        var rest: ArraySlice<Action>?
        let ending: TerminalEnding<Value> = await TerminalLoop(port).run(reading: inputs, refreshing: refresh) {
            event in
            if refresh.isLeaving { return .left }
            if refresh.takeBell() { screen.ring() }
            switch event {
            case .begin: break
            case .redraw: screen.renderer?.redraw()
            case .suspend:
                screen.renderer?.park()
                return nil
            // A frame would interrupt the line that the user is typing. It appears after the next line.
            case .refresh where screen.renderer == nil:
                screen.announce(refresh.takeNews())
                return nil
            case .input(.resized) where screen.renderer == nil: return nil
            case .refresh: _ = refresh.takeNews()
            case .input(.resized): break
            case .input(let input):
                let actions = screen.actions(for: input)
                for (place, action) in actions.enumerated() {
                    if refresh.isLeaving { return .left }
                    if place > 0 { screen.show(frame(port.size.columns)) }
                    let step = await handle(action)
                    switch step {
                    case .stay: continue
                    case .bell: screen.ring()
                    case .finish, .leave: rest = actions[(place + 1)...]
                    }
                    if case .finish(let value) = step { return .finished(value) }
                    if case .leave = step { return .left }
                }
            }
            screen.show(frame(port.size.columns))
            return nil
        }
        screen.close(ending)
        port.end()
        if let rest {
            let later = await Self.typed(in: inputs)
            port.putBack(rest.map { .action($0) } + later)
        }
        return ending
    }

    /// The typed input that is left after the end of a terminal's input.
    private static func typed(in inputs: AsyncStream<TerminalInput>) async -> [TerminalInput] {
        var typed: [TerminalInput] = []
        for await input in inputs {
            switch input {
            case .action(.key(.tick)), .resized: break
            case .action, .line, .overlongLine, .endOfInput, .signal, .hungUp: typed.append(input)
            }
        }
        return typed
    }
}

extension ScreenLoop.Step: Sendable where Value: Sendable {}
extension ScreenLoop.Step: Equatable where Value: Equatable {}

/// Shows frames in place, or as plain text on a terminal without keys. It is not `Sendable`.
private final class FrameScreen {
    /// The renderer; nil on a terminal without keys.
    var renderer: Renderer?
    /// Whether the cursor is after a question, on a terminal without keys.
    private var isAsking = false
    private let port: any TerminalPort
    private let environment: TerminalEnvironment
    private let messages: MessageTable

    init(port: any TerminalPort, environment: TerminalEnvironment, messages: MessageTable) {
        self.port = port
        self.environment = environment
        self.messages = messages
        switch environment.mode(columns: port.size.columns) {
        case .keys: renderer = Renderer(output: port, environment: environment)
        case .lines: renderer = nil
        }
    }

    /// The actions for `input`, one for each typed character.
    func actions(for input: TerminalInput) -> [Action] {
        switch input {
        case .action(.key(let key)): return [.key(key.inScreens)]
        case .action(.insert(let typed)):
            return typed.shownText.map { character in
                let text = String(character)
                return .insert(Secret(copying: text.utf8Span.span))
            }
        case .action(let action): return [action]
        case .line(let line):
            isAsking = false
            if line.isEmpty { return [.key(.submit)] }
            let text = line.shownText
            if LineCommand(text) == .back { return [.key(.cancel)] }
            return [.answer(LineCommand.isEscaped(text, from: "<") ? line.droppingFirstByte : line)]
        case .endOfInput: return [.key(.cancel)]
        case .overlongLine:
            isAsking = false
            write([messages.sentence("line.overlong")])
            return []
        case .resized, .signal, .hungUp: return []
        }
    }

    /// Rings the bell. A terminal without keys has none, because the next line shows the result.
    func ring() { renderer?.bell() }

    func show(_ frame: Frame) {
        guard renderer == nil else {
            renderer?.show(frame, size: port.size)
            return
        }
        port.setEcho(true)
        ask(after: frame.lines(isUTF8: environment.hasSymbols))
    }

    /// Writes news at once. The line that the user is typing stays in the terminal, but no longer on the screen's last row.
    func announce(_ news: [String]) {
        guard !news.isEmpty else { return }
        endLine()
        let width = max(port.size.columns - 1, 1)
        ask(after: news.flatMap { Cells.wrap(TerminalEscaper.visible($0), to: width) })
    }

    private func ask(after lines: [String]) {
        write(lines, asking: "> ")
        isAsking = true
    }

    /// Moves the cursor below a question that has no answer.
    private func endLine() {
        if isAsking { write([""]) }
        isAsking = false
    }

    /// Removes the frame at the end of the loop.
    func close(_ ending: TerminalEnding<some Any>) {
        endLine()
        switch ending {
        case .finished, .left: renderer?.replace(with: nil)
        case .killed: renderer?.replace(with: messages.sentence("front.interrupted"))
        case .hungUp: break
        }
    }

    private func write(_ lines: [String], asking prompt: String = "") {
        var buffer = ScreenBuffer(output: port, isUTF8: environment.isUTF8)
        for line in lines {
            buffer.add(line)
            buffer.addNewline()
        }
        buffer.add(prompt)
        buffer.send()
    }
}
