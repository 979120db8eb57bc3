public import LatchkeyForms

/// A screen as lines of styled text. It never contains typed secrets: a run refers to the field, and ``Renderer``
/// writes its value.
public struct Frame: Equatable, Sendable {
    /// The lines, from top to bottom.
    public var lines: [Line] = []
    /// The position of the cursor.
    public var cursor = Position(line: 0, column: 0)
    /// Lines that stay visible above the lines around the cursor if the terminal has too few rows. If none are pinned,
    /// the first line stays visible.
    public var pinned = 0..<0
    /// The last lines, with key hints. As many of them as possible stay visible below the lines around the cursor.
    public var keys = 0..<0
    /// The title of the terminal's window while the frame is shown; nil to leave it as it is.
    public var windowTitle: String?

    /// Creates a position.
    public init() {}

    /// A position in lines and cells, both counted from 0.
    public struct Position: Equatable, Sendable {
        /// The index of the line, from 0.
        public var line: Int
        /// The number of cells to the left, from 0.
        public var column: Int

        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    /// One line of a screen.
    public struct Line: Equatable, Sendable {
        /// The parts of the line, from left to right.
        public var runs: [Run]

        /// Creates a line of runs.
        public init(_ runs: [Run] = []) { self.runs = runs }

        /// The width in cells.
        public var columns: Int { runs.reduce(0) { $0 + $1.columns } }

        /// Whether a run shows the value of a secret field.
        public var hasSecret: Bool { runs.contains { if case .secret = $0 { true } else { false } } }
    }

    /// Consecutive cells with the same role.
    public enum Run: Equatable, Sendable {
        /// Text that `TerminalEscaper` has made safe for a terminal.
        case text(String, Role)
        /// A symbol with a role.
        case symbol(Symbol, Role)
        /// A range of cells of a secret's value, in plain text.
        case secret(FieldKey, columns: Range<Int>)
    }

    /// The indices of the lines that fit into `rows`: the lines around the cursor, with the pinned lines that would
    /// otherwise be hidden above them, and the last key hints below them. The lines around the cursor always have at
    /// least two rows.
    func visibleLines(rows: Int) -> [Int] {
        let rows = max(rows, 1)
        guard lines.count > rows else { return Array(lines.indices) }
        let pinned = (pinned.isEmpty ? 0..<1 : pinned).clamped(to: 0..<body.upperBound)
        let below = keys.suffix(max(rows - pinned.count - 2, rows - body.count, 0))
        let room = rows - below.count
        var (above, around) = ([Int](), window(rows: room))
        while true {
            let hidden = pinned.filter { $0 < around.lowerBound }.prefix(max(room - 2, 0))
            guard hidden.count > above.count else { return above + around + below }
            // Showing the pinned rows may hide another pinned line.
            (above, around) = (Array(hidden), window(rows: room - hidden.count))
        }
    }

    /// The lines above the key hints, without the empty line between them.
    private var body: Range<Int> {
        guard let last = keys.first.map({ $0 - 1 }) else { return lines.indices }
        return 0..<(last > cursor.line && lines[last].runs.isEmpty ? last : last + 1)
    }

    /// The lines at `visible`. A line next to hidden text ends with an arrow if there is room. A line that is cut off anyway
    /// makes room.
    func marked(_ visible: [Int], columns: Int) -> [Line] {
        var marked = visible.map { lines[$0] }
        func mark(_ place: Int, _ arrow: String) {
            if marked[place].columns + 2 >= columns, case .symbol(.more, _)? = marked[place].runs.last {
                marked[place].runs = FrameBuilder.clipped(marked[place].runs, to: columns - 3)
            }
            guard marked[place].columns + 2 < columns else { return }
            marked[place].runs.append(.text(" " + arrow, .muted))
        }
        let shown = visible.prefix { $0 < body.upperBound }
        guard let first = shown.first, let last = shown.last else { return marked }
        func hasText(_ hidden: Range<Int>) -> Bool { hidden.contains { !lines[$0].runs.isEmpty } }
        let gap = shown.indices.dropLast().first { hasText(shown[$0] + 1..<shown[$0 + 1]) }
        if let place = hasText(0..<first) ? 0 : gap { mark(place, "↑") }
        if hasText(last + 1..<body.upperBound) { mark(shown.count - 1, "↓") }
        return marked
    }

    private func window(rows: Int) -> Range<Int> {
        let rows = min(rows, body.count)
        let top = min(max(cursor.line - rows / 2, 0), body.count - rows)
        return top..<(top + rows)
    }
}

/// The purpose of text on the screen, which ``Renderer`` maps to a style. The style is never the only carrier of
/// information.
public enum Role: String, Sendable, CaseIterable {
    /// Text without a special purpose.
    case plain
    /// The title of a form or a screen.
    case title
    /// The label of a field.
    case label
    /// An answer.
    case value
    /// What an empty field asks for.
    case placeholder
    /// Asterisks that stand for a secret.
    case mask
    /// A refusal.
    case error
    /// Help, and the meanings of keys.
    case hint
    /// The button that submits a form.
    case button
    /// A link to another form.
    case link
    /// The focus, and neutral messages.
    case accent
    /// Something that is done.
    case success
    /// Something that needs attention.
    case warning
    /// Something of little importance.
    case muted
    /// The block elements of a QR code.
    case qrCode

    init(_ color: ColorRole) {
        switch color {
        case .default: self = .value
        case .accent: self = .accent
        case .success: self = .success
        case .warning: self = .warning
        case .muted: self = .muted
        }
    }

    init(_ strength: FormViewState.Strength) {
        switch strength.score {
        case ...1: self = .warning
        case 2: self = .hint
        default: self = .success
        }
    }
}

/// A symbol that is one cell wide, with an ASCII replacement for terminals that need it.
public enum Symbol: Equatable, Sendable {
    /// The selected field or row.
    case focus
    /// Something that is done.
    case done
    /// Something that was refused.
    case wrong
    /// A neutral message.
    case info
    /// A mark for truncated text.
    case more
    /// The finished part of a progress bar.
    case filled
    /// The remaining part of a progress bar.
    case unfilled
    /// The ``Spinner`` at the given step.
    case spinner(Int)

    /// The symbol as one cell of text.
    public func text(isUTF8: Bool) -> String {
        switch self {
        case .focus: isUTF8 ? "❯" : ">"
        case .done: isUTF8 ? "✓" : "+"
        case .wrong: isUTF8 ? "✗" : "!"
        case .info: isUTF8 ? "ℹ" : "i"
        case .more: isUTF8 ? "…" : "~"
        case .filled: isUTF8 ? "█" : "#"
        case .unfilled: isUTF8 ? "░" : "."
        case .spinner(let step): Spinner.text(at: step, isUTF8: isUTF8)
        }
    }
}

/// An animated symbol that shows that a task is running. The caller measures the time.
public enum Spinner {
    /// The time between two steps.
    public static let interval = Duration.milliseconds(100)

    private static let symbols = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
    private static let asciiSymbols = ["-", "\\", "|", "/"]

    /// The step to show after `time`, from 0.
    public static func step(after time: Duration) -> Int { max(0, Int(time / interval)) }

    /// The symbol as one cell of text.
    public static func text(at step: Int, isUTF8: Bool) -> String {
        let symbols = isUTF8 ? symbols : asciiSymbols
        return symbols[max(step, 0) % symbols.count]
    }
}
