import LatchkeyText

/// A table with column titles. If there is room, columns are as wide as their content.
public struct TextTable: Equatable, Sendable {
    /// The columns, from left to right.
    public let columns: [Column]
    /// The cells of each row. Missing cells are empty, and extra cells are ignored.
    public var rows: [[String]]

    /// One column.
    public struct Column: Equatable, Sendable {
        /// The title in the header.
        public let title: String
        /// The side at which values begin or end.
        public let alignment: Alignment

        /// Creates a column.
        public init(_ title: String, _ alignment: Alignment = .left) {
            self.title = title
            self.alignment = alignment
        }
    }

    /// The alignment of a column. Right-aligned numbers are easier to read.
    public enum Alignment: Sendable { case left, right }

    private static let gap = 2
    private static let leastWidth = 4

    /// Creates a table. Each row has one value for each column.
    public init(columns: [Column], rows: [[String]] = []) {
        self.columns = columns
        self.rows = rows
    }

    /// Lays out the table within a width. The widest columns are narrowed first, and truncated cells end with `…`.
    ///
    /// - Parameter limit: the width of the terminal; nil for unlimited width.
    public func frame(columns limit: Int?) -> Frame {
        let titles = columns.map { TerminalEscaper.visible($0.title) }
        let cells = rows.map { row in
            columns.indices.map { $0 < row.count ? TerminalEscaper.visible(row[$0]) : "" }
        }
        let natural = columns.indices.map { place in
            cells.reduce(CellWidth.of(titles[place])) { max($0, CellWidth.of($1[place])) }
        }
        let widths = limit.map { Self.fitted(natural, to: FrameBuilder(columns: $0).width) } ?? natural
        let whole = widths.reduce(0) { $0 + $1 + Self.gap } + 1
        var builder = FrameBuilder(columns: limit ?? whole)
        for (index, row) in ([titles] + cells).enumerated() {
            let runs = line(row, widths, index == 0 ? .title : .value, in: builder)
            builder.line(builder.clipped(runs, to: builder.width))
        }
        return builder.frame
    }

    private func line(_ row: [String], _ widths: [Int], _ role: Role, in builder: FrameBuilder) -> [Frame.Run] {
        columns.indices.flatMap { place -> [Frame.Run] in
            let cell = builder.clipped([.text(row[place], role)], to: widths[place])
            let taken = cell.reduce(0) { $0 + $1.columns }
            let padding = Frame.Run.text(FrameBuilder.spaces(widths[place] - taken), .plain)
            let gap = Frame.Run.text(FrameBuilder.spaces(place == columns.count - 1 ? 0 : Self.gap), .plain)
            let runs = columns[place].alignment == .left ? cell + [padding, gap] : [padding] + cell + [gap]
            return runs.filter { $0.columns > 0 }
        }
    }

    /// Narrows the widest column until all columns fit, or until no column can become narrower.
    private static func fitted(_ natural: [Int], to width: Int) -> [Int] {
        var widths = natural
        var excess = widths.reduce(0, +) + gap * max(widths.count - 1, 0) - width
        while excess > 0, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
            widths[widest] > leastWidth
        {
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }
}
