import LatchkeyForms
import LatchkeyText

/// Lays out lines within a width. It escapes all text that becomes part of a frame.
///
/// ```swift
/// var builder = FrameBuilder(columns: output.size.columns)
/// builder.text("Checked", .title)
/// builder.text("3 of 3 lines are sound", .success, indent: 2, mark: .done)
/// var renderer = Renderer(output: output, environment: environment)
/// renderer.show(builder.frame, size: output.size)
/// ```
public struct FrameBuilder {
    /// The frame so far.
    public private(set) var frame = Frame()
    /// The usable width of a line in cells. The last column stays empty, because terminals differ in where they put the
    /// cursor after it.
    public let width: Int

    /// - Parameter columns: the full width of the terminal.
    public init(columns: Int) { width = max(columns - 1, 1) }

    /// Adds an empty line.
    public mutating func blank() { frame.lines.append(Frame.Line()) }

    /// Adds a line of escaped runs that must fit the width. ``text(_:_:indent:mark:)`` escapes and wraps text itself.
    public mutating func line(_ runs: [Frame.Run]) { frame.lines.append(Frame.Line(runs)) }

    /// Adds text, wrapped and indented by `indent` cells. `mark` comes before the first line.
    public mutating func text(_ text: String, _ role: Role, indent: Int = 0, mark: Symbol? = nil) {
        guard let mark, indent >= 2 else { return self.text(text, role, indent: indent, after: []) }
        self.text(text, role, indent: indent - 2, after: [.symbol(mark, role)])
    }

    /// Adds wrapped text. `lead` and a space come before the first line; the other lines are indented by the same
    /// width.
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

    /// Adds items side by side, as many as fit on each line. An item is only truncated if it is longer than a line.
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

    /// Adds one row of a list, truncated to the width. The selected row has a mark and the cursor.
    ///
    /// - Parameters:
    ///   - runs: escaped text.
    ///   - number: the number with which a user without keys chooses the row; nil if rows have no numbers.
    ///   - isSelected: whether it is selected.
    public mutating func item(_ runs: [Frame.Run], number: Int? = nil, isSelected: Bool) {
        if isSelected { placeCursor(column: 2) }
        let mark: Frame.Run = isSelected ? .symbol(.focus, .accent) : .text(" ", .plain)
        let start = number.map { Frame.Run.text(" \($0) ", .muted) } ?? .text(" ", .plain)
        line(clipped(([mark, start] + runs).filter { $0.columns > 0 }, to: width))
    }

    /// Adds a table. The selected row has a mark and the cursor.
    ///
    /// - Parameters:
    ///   - selected: the index of the selected row, from 0; nil for none.
    ///   - table: the table.
    public mutating func table(_ table: TextTable, selected: Int? = nil) {
        for (index, row) in table.frame(columns: width - 1).lines.enumerated() {
            item(row.runs, isSelected: selected != nil && index - 1 == selected)
        }
    }

    /// Adds key hints, side by side, below all other lines. They stay visible if the terminal has too few rows, see
    /// ``Frame/keys``.
    public mutating func keys(_ hints: [String]) {
        let first = frame.keys.isEmpty ? frame.lines.count : frame.keys.lowerBound
        row(hints.map { [.text(TerminalEscaper.visible($0), .hint)] }, indent: 0, gap: width < 30 ? 2 : 3)
        frame.keys = first..<frame.lines.count
    }

    /// Sets the title of the terminal's window, where there is one.
    public mutating func titleWindow(_ title: String) { frame.windowTitle = title }

    /// Places the cursor in the next line.
    public mutating func placeCursor(column: Int) {
        frame.cursor = Frame.Position(line: frame.lines.count, column: min(max(column, 0), width))
    }

    /// Places the cursor in an existing line.
    public mutating func moveCursor(to position: Frame.Position) { frame.cursor = position }

    /// Adds the lines of another frame, and takes over its cursor, pinned lines and key hints.
    mutating func append(_ other: Frame) {
        let above = frame.lines.count
        func moved(_ lines: Range<Int>) -> Range<Int> {
            lines.isEmpty ? lines : above + lines.lowerBound..<above + lines.upperBound
        }
        frame.lines += other.lines
        frame.cursor = Frame.Position(line: above + other.cursor.line, column: other.cursor.column)
        (frame.pinned, frame.keys) = (moved(other.pinned), moved(other.keys))
    }

    /// Keeps lines visible if the terminal has too few rows. See ``Frame/pinned``.
    public mutating func pin(_ lines: Range<Int>) { frame.pinned = lines }

    /// Truncates runs to `width` cells. ``Symbol/more`` marks the end.
    public func clipped(_ runs: [Frame.Run], to width: Int) -> [Frame.Run] { Self.clipped(runs, to: width) }

    static func clipped(_ runs: [Frame.Run], to width: Int) -> [Frame.Run] {
        guard runs.reduce(0, { $0 + $1.columns }) > width else { return runs }
        guard width > 0 else { return [] }
        var left = width - 1
        var cut: [Frame.Run] = []
        var mark = Role.muted
        for run in runs {
            guard run.columns > left else {
                cut.append(run)
                left -= run.columns
                continue
            }
            if case .text(let text, let role) = run {
                if left > 0 { cut.append(.text(Cells.clip(text, to: 0..<left), role)) }
                // Without colours, a placeholder and its mark are not shown.
                if role == .placeholder { mark = role }
            }
            break
        }
        return cut + [.symbol(.more, mark)]
    }

    static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(count, 0)) }
}
