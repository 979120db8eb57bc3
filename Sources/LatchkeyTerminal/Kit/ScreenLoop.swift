import Glibc
public import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem

/// Runs a program's own screen: shows its frame after each key and after each ``ScreenRefresh/request()``.
///
/// The loop handles interrupting, suspending, continuing and resizing. On a terminal without keys it writes the frame as
/// plain text after each line. A line arrives as ``Action/answer(_:)``, an empty one as ``Action/Key/submit``, and the end
/// of input as ``Action/Key/cancel``.
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

    /// What the loop does after an action.
    public enum Step<Value> {
        /// Shows the frame again.
        case stay
        /// Rings the bell: the key has no effect here.
        case bell
        /// Ends with a result.
        case finish(Value)
        /// Ends without a result.
        case leave
    }

    private enum Event: Sendable {
        case input(TerminalInput)
        case refresh
    }

    /// - Parameter port: the terminal, not yet taken over.
    public init(port: any TerminalPort, environment: TerminalEnvironment, messages: MessageTable = .english) {
        self.port = port
        self.environment = environment
        self.messages = messages.completedForTerminal
    }

    /// Takes over the terminal until `handle` finishes or leaves, and restores it.
    ///
    /// - Parameters:
    ///   - refresh: requests a new frame when the program's data changes.
    ///   - frame: makes the current frame for a terminal with that many columns.
    ///   - handle: performs one action.
    public func run<Value>(
        refreshing refresh: ScreenRefresh = ScreenRefresh(), frame: (_ columns: Int) -> Frame,
        handling handle: (Action) async -> Step<Value>
    ) async -> TerminalEnding<Value> {
        let mode = environment.mode(columns: port.size.columns)
        guard port.begin(mode) else { return .hungUp }
        defer { port.end() }
        let (events, forwarding) = events(refresh)
        defer {
            refresh.detach()
            forwarding.cancel()
        }
        switch mode {
        case .keys: return await runByKeys(events, refresh, frame, handle)
        case .lines: return await runByLines(events, refresh, frame, handle)
        }
    }

    private func events(_ refresh: ScreenRefresh) -> (AsyncStream<Event>, Task<Void, Never>) {
        let (events, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingOldest(TerminalReader.longestQueue))
        let inputs = port.inputs()
        let forwarding = Task {
            for await input in inputs {
                // Back-pressure: the terminal's reader waits while the queue is full.
                while case .dropped = continuation.yield(.input(input)), !Task.isCancelled {
                    try? await Task.sleep(for: .milliseconds(5))
                }
            }
            continuation.finish()
        }
        // A full queue needs no refresh: every event in it shows the frame.
        refresh.attach { if case .enqueued = continuation.yield(.refresh) { true } else { false } }
        return (events, forwarding)
    }

    // MARK: Keys

    private func runByKeys<Value>(
        _ events: AsyncStream<Event>, _ refresh: ScreenRefresh, _ frame: (Int) -> Frame,
        _ handle: (Action) async -> Step<Value>
    ) async -> TerminalEnding<Value> {
        var renderer = Renderer(output: port, environment: environment)
        renderer.show(frame(port.size.columns), size: port.size)
        var signal: Int32?
        for await event in events {
            switch event {
            case .refresh: refresh.clear()
            case .input(.action(.key(.interrupt))): signal = SIGINT
            case .input(.action(.key(.quit))): signal = SIGQUIT
            case .input(.action(.key(.suspend))), .input(.signal(SIGTSTP)):
                renderer.park()
                port.suspend()
            case .input(.signal(SIGCONT)):
                port.resume()
                renderer.redraw()
            case .input(.action(.key(.redraw))): renderer.redraw()
            case .input(.action(let action)):
                switch await handle(action) {
                case .stay: break
                case .bell: renderer.bell()
                case .finish(let value):
                    renderer.replace(with: nil)
                    return .finished(value)
                case .leave:
                    renderer.replace(with: nil)
                    return .left
                }
            case .input(.signal(let number)): signal = number
            case .input(.hungUp): return .hungUp
            case .input(.resized), .input(.line), .input(.overlongLine), .input(.endOfInput): break
            }
            if let signal {
                renderer.replace(with: messages.sentence("front.interrupted"))
                return .killed(by: signal)
            }
            renderer.show(frame(port.size.columns), size: port.size)
        }
        return .hungUp
    }

    // MARK: Lines

    private func runByLines<Value>(
        _ events: AsyncStream<Event>, _ refresh: ScreenRefresh, _ frame: (Int) -> Frame,
        _ handle: (Action) async -> Step<Value>
    ) async -> TerminalEnding<Value> {
        port.setEcho(true)
        write(frame(port.size.columns))
        for await event in events {
            var action: Action?
            switch event {
            case .refresh:
                // Writing now would break up the line that the user is typing. The next line shows the change.
                refresh.clear()
                continue
            case .input(.line(let line)): action = line.isEmpty ? .key(.submit) : .answer(line)
            case .input(.endOfInput): action = .key(.cancel)
            case .input(.overlongLine):
                var buffer = ScreenBuffer(output: port, isUTF8: environment.isUTF8)
                buffer.sendLine(messages.sentence("line.overlong"))
            case .input(.signal(SIGTSTP)): port.suspend()
            case .input(.signal(SIGCONT)): port.resume()
            case .input(.signal(let signal)): return .killed(by: signal)
            case .input(.hungUp): return .hungUp
            case .input(.resized), .input(.action): continue
            }
            if let action {
                switch await handle(action) {
                case .stay, .bell: break
                case .finish(let value): return .finished(value)
                case .leave: return .left
                }
            }
            write(frame(port.size.columns))
        }
        return .hungUp
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

extension ScreenLoop.Step: Sendable where Value: Sendable {}
extension ScreenLoop.Step: Equatable where Value: Equatable {}

/// Asks a ``ScreenLoop`` to show its frame again, because the program's data has changed.
///
/// Can be called from any thread, as often as you like: requests are combined until the loop shows the frame.
public final class ScreenRefresh: Sendable {
    private struct State {
        var isRequested = false
        /// Returns whether the loop has accepted the request.
        var wake: (@Sendable () -> Bool)?
    }

    private let state = Locked(State())

    public init() {}

    /// Requests a new frame.
    public func request() {
        state.withLock { state in
            guard !state.isRequested else { return }
            state.isRequested = state.wake?() ?? true
        }
    }

    func attach(_ wake: @escaping @Sendable () -> Bool) {
        state.withLock { state in
            state.wake = wake
            if state.isRequested { state.isRequested = wake() }
        }
    }

    /// Called by the loop before it shows a frame. Later changes need a new request.
    func clear() { state.withLock { $0.isRequested = false } }

    func detach() { state.withLock { $0.wake = nil } }
}
