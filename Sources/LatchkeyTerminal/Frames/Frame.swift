public import LatchkeyForms

/// What is to be seen, line by line. Holds no typed secret: it names the place, and the driver fills it while it writes.
public struct Frame: Equatable, Sendable {
    public var lines: [Line] = []
    public var cursor = Position(line: 0, column: 0)

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
}
