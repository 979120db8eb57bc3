public import LatchkeyForms

/// What is to be seen, line by line. Holds no typed secret: it names the place, and the driver fills it while it writes.
public struct Frame: Equatable, Sendable {
    public var lines: [Line] = []
    public var cursor = Position(line: 0, column: 0)
    /// Lines that a terminal with fewer rows shows above the ones around the cursor, as far as there is room.
    public var pinned = 0..<0

    public init() {}

    /// A place, in lines and cells from 0.
    public struct Position: Equatable, Sendable {
        public var line: Int
        public var column: Int

        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    public struct Line: Equatable, Sendable {
        public var runs: [Run]

        public init(_ runs: [Run] = []) { self.runs = runs }

        /// How many cells it takes.
        public var columns: Int { runs.reduce(0) { $0 + $1.columns } }

        /// Whether something has to be filled in while it is written.
        public var hasSecret: Bool { runs.contains { if case .secret = $0 { true } else { false } } }
    }

    /// Cells of one role.
    public enum Run: Equatable, Sendable {
        /// Fit for a terminal: made so by ``TerminalEscaper``.
        case text(String, Role)
        case symbol(Symbol, Role)
        /// The value of a secret field in clear, from one cell of it to another.
        case secret(FieldKey, columns: Range<Int>)
    }

    /// Which lines a terminal of so many rows shows, in order: those around the cursor, and above them the pinned ones where
    /// these would not be seen; they leave at least two rows to the others.
    func visibleLines(rows: Int) -> [Int] {
        let rows = max(rows, 1)
        guard lines.count > rows else { return Array(lines.indices) }
        var (above, around) = ([Int](), window(rows: rows))
        while true {
            let hidden = pinned.clamped(to: 0..<lines.count).filter { $0 < around.lowerBound }.prefix(max(rows - 2, 0))
            guard hidden.count > above.count else { return above + around }
            // The rows that these take may push one more out of sight.
            (above, around) = (Array(hidden), window(rows: rows - hidden.count))
        }
    }

    private func window(rows: Int) -> Range<Int> {
        let top = min(max(cursor.line - rows / 2, 0), lines.count - rows)
        return top..<(top + rows)
    }
}
