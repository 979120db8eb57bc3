import Glibc
public import LatchkeyForms
import LatchkeySecrets

/// Asks for one of a few things, on a terminal of either kind.
public struct TerminalMenu: Sendable {
    private let port: any TerminalPort
    private let environment: TerminalEnvironment
    private let messages: MessageTable

    public init(port: any TerminalPort, environment: TerminalEnvironment, messages: MessageTable = .english) {
        self.port = port
        self.environment = environment
        self.messages = messages
    }

    /// What came of asking.
    public enum Choice: Equatable, Sendable {
        /// The option of that place, from 0.
        case chosen(Int)
        case left
        case killed(by: Int32)
        case hungUp
    }

    /// Shows `options` under `title` until one is chosen or the person leaves.
    public func choose(title: String, options: [String]) async -> Choice {
        let menu = SelectionList(title: title, options: options)
        return switch environment.mode(columns: port.size.columns) {
        case .keys: await chooseByKeys(menu)
        case .lines: await chooseByLines(menu)
        }
    }

    private func chooseByKeys(_ menu: SelectionList) async -> Choice {
        var menu = menu
        var chosen: Int?
        let screen = ScreenLoop(port: port, environment: environment, messages: messages)
        let end = await screen.run(
            frame: { columns in menu.frame(columns: columns, in: messages) },
            handling: { action in
                switch menu.handle(action) {
                case .stay: return .stay
                case .bell: return .bell
                case .leave: return .leave
                case .choose(let index):
                    chosen = index
                    return .leave
                }
            })
        return switch end {
        case .left: chosen.map(Choice.chosen) ?? .left
        case .killed(by: let signal): .killed(by: signal)
        case .hungUp: .hungUp
        }
    }

    private func chooseByLines(_ menu: SelectionList) async -> Choice {
        guard port.begin(.lines) else { return .hungUp }
        defer { port.end() }
        let inputs = port.inputs()
        var buffer = ScreenBuffer(output: port, isUTF8: environment.isUTF8)
        buffer.add(menu.title)
        buffer.addNewline()
        for (index, option) in menu.options.enumerated() {
            buffer.add("\(index + 1). \(option)")
            buffer.addNewline()
        }
        let prompt = messages.sentence("line.number", ["maximum": .integer(menu.options.count)]) + ": "
        port.setEcho(true)
        buffer.add(prompt)
        buffer.send()
        for await input in inputs {
            switch input {
            case .line(let line):
                if line.isEmpty { return .left }
                if let number = line.number, menu.options.indices.contains(number - 1) { return .chosen(number - 1) }
            case .endOfInput:
                buffer.addNewline()
                buffer.send()
                return .left
            case .signal(SIGTSTP):
                port.suspend()
            case .signal(SIGCONT): port.resume()
            case .signal(let number): return .killed(by: number)
            case .hungUp: return .hungUp
            case .resized: continue
            case .overlongLine, .key: break
            }
            buffer.add(prompt)
            buffer.send()
        }
        return .hungUp
    }
}

extension Secret {
    /// The number that the bytes spell in decimal digits; nil where they spell none.
    fileprivate var number: Int? {
        withBytes { bytes in
            var number = 0
            for index in bytes.indices {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]), number < 1000 else { return nil }
                number = number * 10 + Int(bytes[index] - UInt8(ascii: "0"))
            }
            return bytes.isEmpty ? nil : number
        }
    }
}
