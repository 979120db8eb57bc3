import LatchkeyForms
import LatchkeyText

/// Lays lines out within a width. The one place where text becomes part of a frame, and so where it is escaped.
struct FrameBuilder {
    private(set) var frame = Frame()
    /// Cells that may be used. The last column of a terminal stays empty: having written there, terminals disagree about
    /// where the cursor is.
    let width: Int

    init(columns: Int) { width = max(columns - 1, 1) }

    mutating func blank() { frame.lines.append(Frame.Line()) }

    mutating func line(_ runs: [Frame.Run]) { frame.lines.append(Frame.Line(runs)) }

    /// A text on as many lines as it takes, each `indent` cells in; `mark` stands before the first.
    mutating func text(_ text: String, _ role: Role, indent: Int = 0, mark: Symbol? = nil) {
        let lines = Cells.wrap(TerminalEscaper.visible(text), to: width - indent)
        for (index, part) in lines.enumerated() {
            var runs: [Frame.Run] = []
            if let mark, index == 0, indent >= 2 {
                runs.append(.text(Self.spaces(indent - 2), .plain))
                runs.append(.symbol(mark, role))
                runs.append(.text(" ", .plain))
            } else {
                runs.append(.text(Self.spaces(indent), .plain))
            }
            line(runs.filter { $0.columns > 0 } + [.text(part, role)])
        }
    }

    /// Items side by side, as many as fit a line; an item is never broken unless it is longer than a line.
    mutating func row(_ items: [[Frame.Run]], indent: Int, gap: Int) {
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

    mutating func placeCursor(column: Int) {
        frame.cursor = Frame.Position(line: frame.lines.count, column: min(max(column, 0), width))
    }

    mutating func moveCursor(to position: Frame.Position) { frame.cursor = position }

    /// Runs cut where a line ends.
    func clipped(_ runs: [Frame.Run], to width: Int) -> [Frame.Run] {
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
