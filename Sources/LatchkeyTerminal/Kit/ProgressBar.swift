public import LatchkeyForms

/// Shows a ``ProgressMeter``: as one line of a terminal, or in a log as a line of text every ten seconds. Not `Sendable`.
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
/// The terminal is not taken over: its modes stay, Ctrl-C works as usual, and the lines above are not changed.
public final class ProgressBar {
    public typealias Instant = ProgressMeter.Instant

    /// The least time between two drawings.
    public static let drawingInterval = Duration.milliseconds(100)
    /// The least time between two lines in a log, and before the first one.
    public static let loggingInterval = Duration.seconds(10)

    public private(set) var meter: ProgressMeter

    private let output: any TerminalOutput
    private let isTerminal: Bool
    private let isUTF8: Bool
    private let messages: MessageTable
    private let now: () -> Instant
    private var renderer: Renderer
    private var shownAt: Instant?
    private var hasFinished = false

    /// - Parameters:
    ///   - total: the amount of work; nil if it is unknown.
    ///   - isTerminal: whether `output` can be drawn on.
    public init(
        label: String, total: Int?, output: any TerminalOutput, isTerminal: Bool, environment: TerminalEnvironment,
        messages: MessageTable = .english, now: @escaping () -> Instant = { .now }
    ) {
        self.output = output
        self.isTerminal = isTerminal && !environment.isPlain
        isUTF8 = environment.isUTF8
        self.messages = messages
        self.now = now
        renderer = Renderer(output: output, environment: environment)
        let start = now()
        meter = ProgressMeter(label: label, total: total, at: start)
        // A log gets no line for a task that is done at once; a terminal shows the bar at once.
        shownAt = self.isTerminal ? nil : start
    }

    /// Sets the amount of work done so far. Cheap enough to call for each of millions of items.
    public func update(done: Int) {
        let time = now()
        meter.advance(to: done, at: time)
        let interval = isTerminal ? Self.drawingInterval : Self.loggingInterval
        guard !hasFinished, shownAt.map({ $0.duration(to: time) >= interval }) ?? true else { return }
        shownAt = time
        if isTerminal {
            renderer.show(meter.frame(columns: output.size.columns), size: output.size)
        } else {
            log(meter.sentence(in: messages))
        }
    }

    /// Removes the bar until the next ``update(done:)``, so that the program can write lines.
    public func makeRoom() {
        guard isTerminal, !hasFinished else { return }
        renderer.redraw()
        shownAt = nil
    }

    /// Removes the bar. `line` stays in its place.
    public func finish(saying line: String?) {
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
