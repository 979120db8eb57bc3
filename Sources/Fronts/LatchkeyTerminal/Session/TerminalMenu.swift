public import LatchkeyForms
import LatchkeySecrets
import LatchkeyText

/// Asks the user to choose one of several options, with keys or line by line.
public struct TerminalMenu: Sendable {
    private let port: any TerminalPort
    private let environment: TerminalEnvironment
    private let messages: MessageTable

    /// - Parameters:
    ///   - port: the terminal, not yet taken over.
    ///   - environment: the description of the terminal.
    ///   - messages: the sentences.
    public init(port: any TerminalPort, environment: TerminalEnvironment, messages: MessageTable = .english) {
        self.port = port
        self.environment = environment
        self.messages = messages.completedForTerminal
    }

    /// Shows `options` under `title` until the user chooses one or leaves.
    ///
    /// - Parameters:
    ///   - selected: the index of the initially selected option; nil for none.
    ///   - refresh: can end the menu as if the user had left.
    ///   - title: the title.
    ///   - goesBack: whether Esc returns to an earlier screen.
    ///   - options: the options to choose from.
    /// - Returns: the index of the option, from 0.
    public func choose(
        title: String, options: [String], selecting selected: Int? = 0, goesBack: Bool = false,
        refreshing refresh: ScreenRefresh = ScreenRefresh()
    ) async -> TerminalEnding<Int> {
        var list = SelectionList(title: title, options: options, selecting: selected, goesBack: goesBack)
        guard environment.mode(columns: port.size.columns) == .keys else { return await chooseByNumber(list, refresh) }
        return await ScreenLoop(port: port, environment: environment, messages: messages).run(
            refreshing: refresh, frame: { columns in list.frame(columns: columns, in: messages) },
            handling: { action in list.handle(action) })
    }

    private func chooseByNumber(_ list: SelectionList, _ refresh: ScreenRefresh) async -> TerminalEnding<Int> {
        guard port.begin(.lines) else { return .hungUp }
        defer { port.end() }
        var buffer = ScreenBuffer(output: port, isUTF8: environment.isUTF8)
        func write(_ line: String) {
            for part in Cells.wrap(line, to: max(port.size.columns - 1, 1)) { buffer.sendLine(part) }
        }
        let prompt = messages.sentence("line.number", ["maximum": .integer(list.options.count)]) + ":"
        return await TerminalLoop(port).run(refreshing: refresh) { event in
            if refresh.isLeaving {
                buffer.sendLine("")
                return .left
            }
            switch event {
            case .begin:
                write(list.title)
                for (index, option) in list.options.enumerated() { write("\(index + 1). \(option)") }
                port.setEcho(true)
            case .input(.line(let line)):
                if line.isEmpty { return .left }
                let text = line.shownText
                if text == "<" { return .left }
                let found = list.options.map { FieldOption($0) }.places(chosenBy: text)
                if found.count == 1 { return .finished(found[0]) }
                write(messages.sentence("line.not_listed"))
            case .input(.endOfInput):
                buffer.sendLine("")
                return .left
            case .input(.overlongLine), .redraw: break
            case .input, .refresh, .suspend: return nil
            }
            let parts = Cells.wrap(prompt, to: max(port.size.columns - 1, 1))
            for part in parts.dropLast() { buffer.sendLine(part) }
            buffer.add((parts.last ?? "") + " ")
            buffer.send()
            return nil
        }
    }
}
