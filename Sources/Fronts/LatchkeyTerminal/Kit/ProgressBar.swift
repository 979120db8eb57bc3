import Glibc
public import LatchkeyForms
import LatchkeySystem

/// Shows a ``ProgressMeter``: on a terminal as one line, in a log as a line of text every ten seconds.
///
/// ```swift
/// let output = DescriptorOutput(STDERR_FILENO)
/// let bar = ProgressBar(
///     label: "Importing", total: 5000, output: output, isTerminal: output.isTerminal, environment: environment)
/// for (index, line) in lines.enumerated() {
///     take(line)
///     bar.update(done: index + 1)
/// }
/// bar.finish(saying: "5000 accounts imported")
/// ```
///
/// The terminal is not taken over. Its modes do not change, Ctrl-C works as usual, and the lines above stay unchanged.
public final class ProgressBar: Sendable {
    /// A point in time of the continuous clock.
    public typealias Instant = ProgressMeter.Instant

    /// The minimum time between two drawings.
    public static let drawingInterval = Duration.milliseconds(100)
    /// The minimum time between two lines in a log, and before the first one.
    public static let loggingInterval = Duration.seconds(10)

    private let drawing: Locked<Drawing>

    /// - Parameters:
    ///   - total: the amount of work; nil if it is unknown.
    ///   - isTerminal: whether `output` is a terminal that can show a bar.
    ///   - label: what is in progress, such as "Importing".
    ///   - output: the terminal.
    ///   - environment: the description of the terminal.
    ///   - now: the current time.
    ///   - messages: the sentences.
    public init(
        label: String, total: Int?, output: any TerminalOutput, isTerminal: Bool, environment: TerminalEnvironment,
        messages: MessageTable = .english, now: @escaping @Sendable () -> Instant = { .now }
    ) {
        drawing = Locked(
            Drawing(
                ProgressMeter(label: label, total: total, at: now()), on: output,
                isTerminal: isTerminal && !environment.isPlain, environment, messages.completedForTerminal, now))
    }

    /// The progress so far.
    public var meter: ProgressMeter { drawing.withLock { $0.meter } }

    /// Sets the amount of work done so far. It is cheap enough to call for each of millions of items.
    public func update(done: Int) { drawing.withLock { $0.update(done: done) } }

    /// On a terminal, shows a spinner until ``finish(saying:)``, so that the user sees that the work continues even
    /// between calls of ``update(done:)``.
    ///
    /// - Parameter isStopping: whether the user has asked the work to stop, which the bar then shows. Called on a
    ///   separate thread.
    public func animate(isStopping: @escaping @Sendable () -> Bool = { false }) {
        guard drawing.withLock({ $0.startSpinner() }) else { return }
        // If no thread is available, the bar shows no spinner.
        try? DetachedThread.start { [drawing] in
            while drawing.withLock({ $0.turnSpinner(isStopping: isStopping()) }) { usleep(100_000) }
        }
    }

    /// Removes the bar while `write` writes lines above it. The bar reappears with the next drawing.
    public func makeRoom(for write: () -> Void) {
        drawing.withLock { drawing in
            drawing.remove()
            write()
        }
    }

    /// Replaces the bar with `line`.
    public func finish(saying line: String?) { drawing.withLock { $0.finish(saying: line) } }
}

/// The state of a ``ProgressBar``, guarded by its lock.
private final class Drawing {
    typealias Instant = ProgressMeter.Instant

    private(set) var meter: ProgressMeter
    private let output: any TerminalOutput
    private let isTerminal: Bool
    private let isUTF8: Bool
    private let messages: MessageTable
    private let now: @Sendable () -> Instant
    private var renderer: Renderer
    private var shownAt: Instant?
    private var hasFinished = false
    /// The time when the spinner started.
    private var spinsSince: Instant?
    private var isStopping = false

    init(
        _ meter: ProgressMeter, on output: any TerminalOutput, isTerminal: Bool, _ environment: TerminalEnvironment,
        _ messages: MessageTable, _ now: @escaping @Sendable () -> Instant
    ) {
        self.meter = meter
        self.output = output
        self.isTerminal = isTerminal
        isUTF8 = environment.isUTF8
        self.messages = messages
        self.now = now
        renderer = Renderer(output: output, environment: environment)
        // A log gets no line for a task that finishes quickly, but a terminal shows the bar immediately.
        shownAt = isTerminal ? nil : now()
    }

    func update(done: Int) {
        let time = now()
        meter.advance(to: done, at: time)
        let interval = isTerminal ? ProgressBar.drawingInterval : ProgressBar.loggingInterval
        guard !hasFinished, shownAt.map({ $0.duration(to: time) >= interval }) ?? true else { return }
        show(at: time)
    }

    private func show(at time: Instant) {
        shownAt = time
        guard isTerminal else { return log(meter.sentence(in: messages)) }
        let spinner = spinsSince.map { Spinner.step(after: $0.duration(to: time)) }
        let label = isStopping ? messages.sentence("progress.stopping") : meter.label
        renderer.show(meter.frame(columns: output.size.columns, label: label, spinner: spinner), size: output.size)
    }

    /// - Returns: false if nothing is drawn, so that no spinner is needed.
    func startSpinner() -> Bool {
        guard isTerminal, !hasFinished, spinsSince == nil else { return false }
        spinsSince = now()
        return true
    }

    /// - Returns: false after the bar has finished.
    func turnSpinner(isStopping: Bool) -> Bool {
        guard !hasFinished else { return false }
        self.isStopping = isStopping
        show(at: now())
        return true
    }

    func remove() {
        guard isTerminal, !hasFinished else { return }
        renderer.redraw()
        shownAt = nil
    }

    func finish(saying line: String?) {
        guard !hasFinished else { return }
        hasFinished = true
        if isTerminal { return renderer.replace(with: line) }
        if let line { log(line) }
    }

    private func log(_ line: String) {
        var buffer = ScreenBuffer(output: output, isUTF8: isUTF8)
        buffer.sendLine(line)
    }
}
