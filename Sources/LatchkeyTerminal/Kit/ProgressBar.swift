public import LatchkeyForms

/// A ``ProgressMeter`` that is shown: drawn in one line of a terminal, or where there is none told in a line of text every
/// ten seconds. Its owner isolates it.
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
/// The terminal is not taken: its modes stay, Ctrl-C works as ever, and what stands above is never touched.
public final class ProgressBar {
    public typealias Instant = ProgressMeter.Instant

    /// Drawn no more often.
    public static let drawingInterval = Duration.milliseconds(100)
    /// Told no more often where there is no terminal, and not before so long has passed.
    public static let tellingInterval = Duration.seconds(10)

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
    ///   - total: how much there is to do; nil where nobody knows.
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
        // A task that is done at once is not worth a line in a log, but is in a terminal.
        shownAt = self.isTerminal ? nil : start
    }

    /// So much is done now, of all there is. Cheap enough to be called for each of millions.
    public func update(done: Int) {
        let time = now()
        meter.advance(to: done, at: time)
        let interval = isTerminal ? Self.drawingInterval : Self.tellingInterval
        guard !hasFinished, shownAt.map({ $0.duration(to: time) >= interval }) ?? true else { return }
        shownAt = time
        if isTerminal {
            renderer.show(meter.frame(columns: output.size.columns), size: output.size)
        } else {
            tell(meter.sentence(in: messages))
        }
    }

    /// Takes the bar away until the next ``update(done:)``, so that lines can be written where it was.
    public func makeRoom() {
        guard isTerminal, !hasFinished else { return }
        renderer.redraw()
        shownAt = nil
    }

    /// Takes the bar away; `line` stays in its place, where there is one.
    public func finish(saying line: String?) {
        guard !hasFinished else { return }
        hasFinished = true
        if isTerminal { return renderer.replace(with: line) }
        if let line { tell(line) }
    }

    private func tell(_ line: String) {
        var buffer = ScreenBuffer(output: output, isUTF8: isUTF8)
        buffer.sendLine(line)
    }
}
