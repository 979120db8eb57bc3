import Glibc
public import LatchkeyForms
import LatchkeySecrets

/// A program's own screen on a terminal of either kind: shows its frame after each key, and whenever that is asked for.
///
/// Interrupting, stopping, continuing and another size of the terminal are dealt with here. On a terminal without keys the
/// frame is written as plain text after each line; a line arrives as ``Action/answer(_:)``, an empty one as
/// ``Action/submit``, and the end of input as ``Action/cancel``.
///
/// ```swift
/// var count = 0
/// let end = await ScreenLoop(port: device, environment: environment).run(
///     frame: { columns in
///         var builder = FrameBuilder(columns: columns)
///         builder.text("\(count)", .title)
///         return builder.frame
///     },
///     handling: { action in
///         if case .cancel = action { return .leave }
///         count += 1
///         return .stay
///     })
/// ```
public struct ScreenLoop {
    private let port: any TerminalPort
    private let environment: TerminalEnvironment
    private let messages: MessageTable

    /// What follows from an action.
    public enum Step: Sendable {
        case stay
        /// The key means nothing here.
        case bell
        case leave
    }

    /// How it ended.
    public enum End: Equatable, Sendable {
        case left
        /// A signal came, or Ctrl-C, which is SIGINT. The terminal is given back; whoever ran the loop should now die of
        /// it: ``TerminalDevice/die(of:)``.
        case killed(by: Int32)
        case hungUp
    }

    private enum Wake: Sendable {
        case input(TerminalInput)
        case refresh
    }

    public init(port: any TerminalPort, environment: TerminalEnvironment, messages: MessageTable = .english) {
        self.port = port
        self.environment = environment
        self.messages = messages
    }

    /// Takes the terminal until `handle` says to leave, and gives it back.
    ///
    /// - Parameters:
    ///   - refresh: whoever changes what the frame shows asks it for another.
    ///   - frame: how the screen looks now, on so many columns.
    ///   - handle: does what the person means.
    public func run(
        refreshing refresh: ScreenRefresh = ScreenRefresh(), frame: (_ columns: Int) -> Frame,
        handling handle: (Action) async -> Step
    ) async -> End {
        let mode = environment.mode(columns: port.size.columns)
        guard port.begin(mode) else { return .hungUp }
        defer { port.end() }
        let (wakes, forwarding) = wakes(refresh)
        defer {
            refresh.detach()
            forwarding.cancel()
        }
        switch mode {
        case .keys: return await runByKeys(wakes, refresh, frame, handle)
        case .lines: return await runByLines(wakes, refresh, frame, handle)
        }
    }

    private func wakes(_ refresh: ScreenRefresh) -> (AsyncStream<Wake>, Task<Void, Never>) {
        let (wakes, continuation) = AsyncStream.makeStream(
            of: Wake.self, bufferingPolicy: .bufferingOldest(TerminalReader.longestQueue))
        let inputs = port.inputs()
        let forwarding = Task {
            for await input in inputs {
                // Where there is no room the reader of the terminal has to wait, and so does this.
                while case .dropped = continuation.yield(.input(input)), !Task.isCancelled {
                    try? await Task.sleep(for: .milliseconds(5))
                }
            }
            continuation.finish()
        }
        // One that finds no room is not needed: all that is in front of it shows the frame.
        refresh.attach { if case .enqueued = continuation.yield(.refresh) { true } else { false } }
        return (wakes, forwarding)
    }

    // MARK: Keys

    private func runByKeys(
        _ wakes: AsyncStream<Wake>, _ refresh: ScreenRefresh, _ frame: (Int) -> Frame, _ handle: (Action) async -> Step
    ) async -> End {
        var renderer = Renderer(output: port, environment: environment)
        renderer.show(frame(port.size.columns), size: port.size)
        for await wake in wakes {
            switch wake {
            case .refresh: refresh.meet()
            case .input(.key(.interrupt)): return killed(by: SIGINT, &renderer)
            case .input(.key(.quit)): return killed(by: SIGQUIT, &renderer)
            case .input(.key(.suspend)), .input(.signal(SIGTSTP)):
                renderer.park()
                port.suspend()
            case .input(.signal(SIGCONT)):
                port.resume()
                renderer.redraw()
            case .input(.key(.redraw)): renderer.redraw()
            case .input(.key(let action)):
                switch await handle(action) {
                case .stay: break
                case .bell: renderer.bell()
                case .leave:
                    renderer.replace(with: nil)
                    return .left
                }
            case .input(.signal(let signal)): return killed(by: signal, &renderer)
            case .input(.hungUp): return .hungUp
            case .input(.resized), .input(.line), .input(.overlongLine), .input(.endOfInput): break
            }
            renderer.show(frame(port.size.columns), size: port.size)
        }
        return .hungUp
    }

    private func killed(by signal: Int32, _ renderer: inout Renderer) -> End {
        renderer.replace(with: messages.sentence("front.interrupted"))
        return .killed(by: signal)
    }

    // MARK: Lines

    private func runByLines(
        _ wakes: AsyncStream<Wake>, _ refresh: ScreenRefresh, _ frame: (Int) -> Frame, _ handle: (Action) async -> Step
    ) async -> End {
        port.setEcho(true)
        write(frame(port.size.columns))
        for await wake in wakes {
            switch wake {
            // What is being typed must not be broken by what comes meanwhile: it shows after the next line.
            case .refresh:
                refresh.meet()
                continue
            case .input(.line(let line)):
                if await handle(line.isEmpty ? .submit : .answer(line)) == .leave { return .left }
            case .input(.endOfInput):
                if await handle(.cancel) == .leave { return .left }
            case .input(.overlongLine): say(messages.sentence("line.overlong"))
            case .input(.signal(SIGTSTP)): port.suspend()
            case .input(.signal(SIGCONT)): port.resume()
            case .input(.signal(let signal)): return .killed(by: signal)
            case .input(.hungUp): return .hungUp
            case .input(.resized), .input(.key): continue
            }
            write(frame(port.size.columns))
        }
        return .hungUp
    }

    private func say(_ line: String) {
        var buffer = ScreenBuffer(output: port, isUTF8: environment.isUTF8)
        buffer.add(line)
        buffer.addNewline()
        buffer.send()
    }

    private func write(_ frame: Frame) {
        var buffer = ScreenBuffer(output: port, isUTF8: environment.isUTF8)
        for line in frame.lines(isUTF8: environment.hasSymbols) {
            buffer.add(line)
            buffer.addNewline()
        }
        buffer.add("> ")
        buffer.send()
    }
}
