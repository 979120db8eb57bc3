public import LatchkeyForms
import LatchkeyText

/// The progress of a long task, and its display as a sentence or a line.
///
/// The rate is measured over the last ten seconds, so that a slow start does not affect it for long.
public struct ProgressMeter: Equatable, Sendable {
    /// A point in time of the continuous clock.
    public typealias Instant = ContinuousClock.Instant

    /// A name for the task, such as "Importing".
    public let label: String
    /// The amount of work; nil if it is unknown.
    public let total: Int?
    /// The amount of work done, which never decreases.
    public private(set) var done = 0

    /// At most one sample per second, oldest first. The latest sample is stored separately.
    private var samples: [Sample]
    private var latest: Sample

    private struct Sample: Equatable, Sendable {
        let at: Instant
        let done: Int
    }

    private static let window = Duration.seconds(10)

    /// Starts at 0 of `total` steps.
    public init(label: String, total: Int?, at now: Instant) {
        self.label = label
        self.total = total.map { max($0, 0) }
        latest = Sample(at: now, done: 0)
        samples = [latest]
    }

    /// Sets the amount of work done so far.
    public mutating func advance(to done: Int, at now: Instant) {
        self.done = max(self.done, done)
        latest = Sample(at: max(now, latest.at), done: self.done)
        if let last = samples.last, last.at.duration(to: latest.at) >= .seconds(1) { samples.append(latest) }
        // One sample older than the window is kept, because the rate is measured from it.
        while samples.count > 1, samples[1].at.duration(to: latest.at) >= Self.window { samples.removeFirst() }
    }

    /// The work done per second; nil during the first second.
    public var rate: Double? {
        let time = samples[0].at.duration(to: latest.at)
        guard time >= .seconds(1) else { return nil }
        return Double(latest.done - samples[0].done) / (time / .seconds(1))
    }

    /// The estimated remaining time; nil if it is unknown.
    public var timeLeft: Duration? {
        guard let total, let rate, rate > 0 else { return nil }
        return .seconds(max(Double(total - done), 0) / rate)
    }

    /// The progress as a sentence, for a log.
    public func sentence(in messages: MessageTable) -> String {
        let messages = messages.completedForTerminal
        var values: [String: RuleFailure.Value] = [
            "label": .text(label), "done": .integer(done), "total": .integer(total ?? 0),
        ]
        guard let rate else {
            return messages.sentence(total == nil ? "progress.begun_open" : "progress.begun", values)
        }
        values["rate"] = .text(Self.text(rate))
        guard let timeLeft else { return messages.sentence("progress.open", values) }
        values["left"] = .text(Self.text(timeLeft))
        return messages.sentence("progress.known", values)
    }

    /// One line with the label, a bar if the total is known, and as many numbers as fit.
    ///
    /// - Parameters:
    ///   - label: a text to show instead of the label.
    ///   - spinner: the step of a ``Spinner`` to show; nil for none.
    ///   - columns: the width of the terminal, in cells.
    public func frame(columns: Int, label: String? = nil, spinner: Int? = nil) -> Frame {
        var builder = FrameBuilder(columns: columns)
        var figures = total.map { ["\(done)/\($0)"] } ?? ["\(done)"]
        if let rate { figures.append("\(Self.text(rate))/s") }
        if let timeLeft { figures.append(Self.text(timeLeft)) }
        let name = TerminalEscaper.visible(label ?? self.label)
        let used = CellWidth.of(name) + (spinner == nil ? 0 : 2)
        func taken(_ figures: [String]) -> Int { figures.reduce(used) { $0 + 2 + $1.utf8.count } }
        while figures.count > 1, taken(figures) > builder.width { figures.removeLast() }
        var runs: [Frame.Run] = spinner.map { [.symbol(.spinner($0), .accent), .text(" ", .plain)] } ?? []
        runs.append(.text(name + "  ", .label))
        let room = min(builder.width - taken(figures) - 2, 40)
        if let total, room >= 5 {
            let filled = total == 0 ? room : Int(Double(room) * min(Double(done) / Double(total), 1))
            runs += (0..<room).map { .symbol($0 < filled ? .filled : .unfilled, .accent) }
            runs.append(.text("  ", .plain))
        }
        runs.append(.text(figures.joined(separator: "  "), .value))
        builder.placeCursor(column: 0)
        builder.line(builder.clipped(runs, to: builder.width))
        return builder.frame
    }

    /// A whole number, or for rates below ten a number with tenths.
    private static func text(_ rate: Double) -> String {
        if rate >= 10 { return String(Int(min(rate.rounded(), 1e15))) }
        let tenths = Int((rate * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// The time formatted like a clock: `0:05`, `12:40`, `3:00:00`.
    private static func text(_ time: Duration) -> String {
        let seconds = Int(min((time / .seconds(1)).rounded(.up), 1e9))
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        let (minutes, hours) = (seconds / 60 % 60, seconds / 3600)
        return hours > 0
            ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
    }
}
