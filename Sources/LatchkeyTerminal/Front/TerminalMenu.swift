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
        let mode = environment.mode(columns: port.size.columns)
        guard port.begin(mode) else { return .hungUp }
        defer { port.end() }
        let inputs = port.inputs()
        let menu = SelectionList(title: title, options: options)
        switch mode {
        case .keys: return await chooseByKeys(menu, inputs)
        case .lines: return await chooseByLines(menu, inputs)
        }
    }

    private func chooseByKeys(_ menu: SelectionList, _ inputs: AsyncStream<TerminalInput>) async -> Choice {
        var menu = menu
        var renderer = Renderer(output: port, environment: environment)
        renderer.show(menu.frame(columns: port.size.columns, in: messages), size: port.size, filling: nil)
        for await input in inputs {
            let step: SelectionList.Step
            switch input {
            case .key(let action): step = menu.handle(action)
            case .signal(SIGTSTP): step = .suspend
            case .signal(SIGCONT):
                port.resume()
                step = .redraw
            case .signal(let number):
                renderer.replace(with: nil)
                return .killed(by: number)
            case .hungUp: return .hungUp
            case .resized, .line, .overlongLine, .endOfInput: step = .stay
            }
            switch step {
            case .stay: break
            case .bell: renderer.bell()
            case .redraw: renderer.redraw()
            case .choose(let index):
                renderer.replace(with: nil)
                return .chosen(index)
            case .leave:
                renderer.replace(with: nil)
                return .left
            case .interrupt:
                renderer.replace(with: messages.sentence("front.interrupted"))
                return .killed(by: SIGINT)
            case .quit:
                renderer.replace(with: messages.sentence("front.interrupted"))
                return .killed(by: SIGQUIT)
            case .suspend:
                renderer.park()
                port.suspend()
            }
            renderer.show(menu.frame(columns: port.size.columns, in: messages), size: port.size, filling: nil)
        }
        return .hungUp
    }

    private func chooseByLines(_ menu: SelectionList, _ inputs: AsyncStream<TerminalInput>) async -> Choice {
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
