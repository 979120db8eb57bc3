import LatchkeyForms
import LatchkeyText

/// Lays lines out within a width. The one place where text becomes part of a frame, and so where it is escaped.
///
/// ```swift
/// var builder = FrameBuilder(columns: output.size.columns)
/// builder.text("Checked", .title)
/// builder.text("3 of 3 lines are sound", .success, indent: 2, mark: .done)
/// var renderer = Renderer(output: output, environment: environment)
/// renderer.show(builder.frame, size: output.size)
/// ```
public struct FrameBuilder {
    /// What has been laid out so far.
    public private(set) var frame = Frame()
    /// Cells that may be used. The last column of a terminal stays empty: having written there, terminals disagree about
    /// where the cursor is.
    public let width: Int

    /// - Parameter columns: of the terminal, all of them.
    public init(columns: Int) { width = max(columns - 1, 1) }

    /// An empty line.
    public mutating func blank() { frame.lines.append(Frame.Line()) }

    /// A line of runs that fit it, made of texts that were escaped: ``text(_:_:indent:mark:)`` does both by itself.
    public mutating func line(_ runs: [Frame.Run]) { frame.lines.append(Frame.Line(runs)) }

    /// A text on as many lines as it takes, each `indent` cells in; `mark` stands before the first.
    public mutating func text(_ text: String, _ role: Role, indent: Int = 0, mark: Symbol? = nil) {
        guard let mark, indent >= 2 else { return self.text(text, role, indent: indent, after: []) }
        self.text(text, role, indent: indent - 2, after: [.symbol(mark, role)])
    }

    /// A text on as many lines as it takes; `lead` and a space stand before the first of them, and as many cells stay
    /// empty before the others.
    public mutating func text(_ text: String, _ role: Role, indent: Int, after lead: [Frame.Run]) {
        let hanging = lead.isEmpty ? indent : indent + lead.reduce(1) { $0 + $1.columns }
        let lines = Cells.wrap(TerminalEscaper.visible(text), to: width - hanging)
        for (index, part) in lines.enumerated() {
            let isFirst = index == 0 && !lead.isEmpty
            let start: [Frame.Run] = [.text(Self.spaces(isFirst ? indent : hanging), .plain)]
            let runs = isFirst ? start + lead + [.text(" ", .plain)] : start
            line(runs.filter { $0.columns > 0 } + [.text(part, role)])
        }
    }

    /// Items side by side, as many as fit a line; an item is never broken unless it is longer than a line.
    public mutating func row(_ items: [[Frame.Run]], indent: Int, gap: Int) {
        var runs: [Frame.Run] = []
        for item in items {
            let needed = item.reduce(0) { $0 + $1.columns }
            let used = runs.reduce(0) { $0 + $1.columns }
            if !runs.isEmpty && used + gap + needed > width {
                line(runs)
                runs = []
            }
            let space = runs.isEmpty ? indent : gap
            if space > 0 { runs.append(.text(Self.spaces(space), .plain)) }
            runs += clipped(item, to: width - runs.reduce(0) { $0 + $1.columns })
        }
        if !runs.isEmpty { line(runs) }
    }

    /// Puts the cursor into the line that comes next.
    public mutating func placeCursor(column: Int) {
        frame.cursor = Frame.Position(line: frame.lines.count, column: min(max(column, 0), width))
    }

    /// Puts the cursor into a line that is there.
    public mutating func moveCursor(to position: Frame.Position) { frame.cursor = position }

    /// Keeps lines in sight on a terminal that has not the rows for all; see ``Frame/pinned``.
    public mutating func pin(_ lines: Range<Int>) { frame.pinned = lines }

    /// Runs cut where a line ends.
    public func clipped(_ runs: [Frame.Run], to width: Int) -> [Frame.Run] {
        var left = max(width, 0)
        return runs.compactMap { run in
            defer { left -= min(run.columns, left) }
            guard run.columns > left else { return run }
            guard left > 0, case .text(let text, let role) = run else { return nil }
            return .text(Cells.clip(text, to: 0..<left), role)
        }
    }

    static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(count, 0)) }
}
